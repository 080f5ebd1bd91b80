/** Rebuilds the view of a conversation that began earlier from what the service has stored. */
import { z } from "zod";
import { toolFailed } from "@voice/shared/contracts/stream/tool-failed";
import { parseJson } from "@voice/shared/platform/parse-json";

import type { SessionDetails, SessionTurns } from "../api/service-api.ts";
import { emptyConversation } from "./conversation-view.ts";
import type { ConversationView, Entry, NewEntry, TurnLatency } from "./conversation-view.ts";
import { cutInWords, errorInWords } from "./explain-reason.ts";

type Item = SessionDetails["conversation_history"][number];

export function fromHistory(details: SessionDetails, turns: SessionTurns): ConversationView {
  const history = details.conversation_history;
  const calls = new Map(history.flatMap((item) => (item.tool_calls ?? []).map((call) => [call.id, call] as const)));
  const said = inSpokenOrder(history).flatMap((item) =>
    entriesOf(item, calls).map((entry) => ({ ...entry, at: item.timestamp })),
  );
  const entries = withFailures(said, details.failures).map((entry, index): Entry => ({ ...entry, id: index + 1 }));
  return {
    ...emptyConversation,
    agent: details.active_agent,
    entries,
    latencies: turns.map(toLatency),
    nextId: entries.length + 1,
  };
}

export function toLatency({ turn_id: turnId, agent, marks, why }: SessionTurns[number]): TurnLatency {
  return { turnId, agent, metrics: marks, why };
}

/**
 * What an agent says before it hands over is stored when it was heard, and then its tool has long been called. It is
 * shown before the call, as everybody saw it who was there.
 */
function inSpokenOrder(history: readonly Item[]): readonly Item[] {
  const ordered: Item[] = [];
  for (const item of history) {
    const called = ordered.findLastIndex(
      ({ role, agent, turn_id: turnId, tool_calls: calls }) =>
        role === "assistant" && calls != null && agent === item.agent && turnId === item.turn_id,
    );
    const handedOver = ordered.slice(called).some(({ content }) => handoffResult.safeParse(parseJson(content)).success);
    if (item.role === "assistant" && item.tool_calls == null && called !== -1 && handedOver)
      ordered.splice(called, 0, item);
    else ordered.push(item);
  }
  return ordered;
}

type Told = NewEntry & { readonly at: string };

/** Each before what was said after it, such as the apology for it. */
function withFailures(said: readonly Told[], failures: SessionDetails["failures"]): readonly Told[] {
  const all = [...said];
  for (const { code, message, timestamp } of failures) {
    if (code === toolFailed) continue; // its row says so
    const next = all.findIndex(({ at }) => Date.parse(at) > Date.parse(timestamp));
    const notice: Told = { kind: "notice", tone: "error", text: errorInWords({ code, message }), at: timestamp };
    all.splice(next === -1 ? all.length : next, 0, notice);
  }
  return all;
}

type ToolCall = NonNullable<Item["tool_calls"]>[number];

function entriesOf(item: Item, calls: ReadonlyMap<string, ToolCall>): NewEntry[] {
  switch (item.role) {
    case "user":
      return item.content === ""
        ? []
        : [
            {
              kind: "user",
              text: item.content,
              isPending: false,
              isPast: true,
              agent: item.agent,
              turnId: item.turn_id,
            },
          ];
    case "assistant":
      return [...cutOf(item), ...(item.content.trim() === "" ? [] : [answerOf(item)])];
    case "system":
      return item.author === "person" ? [{ kind: "notice", tone: "info", text: item.content }] : [];
    case "tool":
      return toolEntries(item, calls.get(item.tool_call_id ?? ""));
    default:
      return [];
  }
}

function cutOf({ cut }: Item): NewEntry[] {
  return cut == null ? [] : [{ kind: "notice", tone: "info", text: cutInWords[cut] }];
}

function answerOf(item: Item): NewEntry {
  return {
    kind: "agent",
    agent: item.agent,
    turnId: item.turn_id,
    text: item.content,
    isComplete: true,
    isPast: true,
    isInterrupted: item.interrupted,
    unheard: "",
    ...(item.author != null && { author: item.author }),
    ...(item.guardrails != null && { guardrails: item.guardrails }),
  };
}

const handoffResult = z.object({ handoff: z.literal(true), previous_agent: z.string(), target_agent: z.string() });

/** The call with its result and, if it was a handoff, the agent that took over. */
function toolEntries(item: Item, call: ToolCall | undefined): NewEntry[] {
  const result = parseJson(item.content);
  const entry: NewEntry = {
    kind: "tool",
    name: call?.name ?? "tool",
    args: z.record(z.string(), z.unknown()).safeParse(parseJson(call?.arguments ?? "")).data ?? {},
    result,
    status: z.object({ success: z.literal(false) }).safeParse(result).success ? "error" : "success",
    durationMs: undefined,
  };
  const handoff = handoffResult.safeParse(result).data;
  if (handoff === undefined) return [entry];
  return [entry, { kind: "handoff", from: handoff.previous_agent, to: handoff.target_agent }];
}
