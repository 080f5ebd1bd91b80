/** Applies a message to the view. Pure, so that it can be tested without a page. */
import { joinPieces } from "@voice/shared/contracts/stream/join-pieces";
import type { ServerMessage, ServerPayloads } from "@voice/shared/contracts/stream/server-message";

import { unheardText } from "./heard-text.ts";
import { emptyConversation, maxEntries, maxLatencies } from "./conversation-view.ts";
import type { ConversationView, Entry, NewEntry } from "./conversation-view.ts";
import {
  answeredByInWords,
  callUpdateInWords,
  cutInWords,
  endingInWords,
  errorInWords,
  lineRefusalInWords,
  newLanguageInWords,
  operatorActionInWords,
} from "./explain-reason.ts";
import { sameWords } from "./same-words.ts";

export function reduceConversation(view: ConversationView, message: ServerMessage): ConversationView {
  switch (message.type) {
    case "session":
      return startSession(view, message.payload, message.timestamp);
    case "transcript":
      return addTranscript(view, message.payload, message.timestamp);
    case "response":
    case "agent_response":
      return addResponse(view, message.payload, message.timestamp);
    case "handoff":
      return addHandoff(view, message.payload, message.timestamp);
    case "tool_call":
      return addToolCall(view, message.payload, message.timestamp);
    case "event":
      return applyEvent(view, message.payload, message.timestamp);
    case "error":
      return append(view, message.timestamp, { kind: "notice", tone: "error", text: errorInWords(message.payload) });
    case "audio_levels":
    case "audio":
    case "pong":
      return view;
    default:
      return message satisfies never;
  }
}

/** Shows typed words at once; the service's message about them replaces the entry. */
export function addTypedText(view: ConversationView, text: string, at: string): ConversationView {
  return append(view, at, { kind: "user", text, isPending: true, agent: view.agent });
}

/** Whatever was in progress when the connection was lost is no longer in progress. */
export function disconnect(view: ConversationView): ConversationView {
  return { ...view, agentState: undefined, interim: "", entries: view.entries.map(close) };
}

/** Closes this entry, whatever turn number comes next, because a host that takes over may restart the numbering. */
function close(entry: Entry): Entry {
  if (entry.kind === "user") return { ...entry, isPast: true };
  return entry.kind === "agent" ? { ...entry, isComplete: true, isPast: true } : entry;
}

function startSession(view: ConversationView, session: ServerPayloads["session"], at: string): ConversationView {
  const isSame = view.session === undefined || view.session.session_id === session.session_id;
  const base = isSame ? { ...view, entries: view.entries.map(close) } : { ...emptyConversation, nextId: view.nextId };
  const started = { ...base, session, agent: session.agent, ended: undefined };
  const text = newsOfReturn(base, session);
  return text === undefined ? started : append(started, at, { kind: "notice", tone: "info", text });
}

function newsOfReturn(before: ConversationView, { resumed }: ServerPayloads["session"]): string | undefined {
  // Where the page has the caller's words of a session that begins, the service has lost them.
  const isLost = !resumed && before.session !== undefined && before.entries.some(isSaidByCaller);
  if (isLost) return "The service does not know this conversation any more: another begins.";
  return before.ended === undefined ? undefined : "The caller is back, and the conversation goes on.";
}

function isSaidByCaller(entry: Entry): boolean {
  return entry.kind === "user" && !entry.isPending;
}

function addTranscript(view: ConversationView, transcript: ServerPayloads["transcript"], at: string): ConversationView {
  // The agent's words come as `response`, together with what was heard of them.
  if (transcript.speaker === "agent") return view;
  if (!transcript.is_final) return { ...view, interim: transcript.text };
  const pending = view.entries.findLastIndex(
    (entry) => entry.kind === "user" && entry.isPending && sameWords(entry.text, transcript.text),
  );
  const settled = { ...view, interim: "" };
  const { text, turn_id: turnId, language, began_at: beganAt = at } = transcript;
  if (pending === -1)
    return insertWhere(beganAt, settled, { kind: "user", text, isPending: false, turnId, language, agent: view.agent });
  return replaceAt(settled, pending, (entry) =>
    entry.kind === "user" ? { ...entry, isPending: false, turnId, language, agent: entry.agent ?? view.agent } : entry,
  );
}

type AgentEntry = Extract<Entry, { kind: "agent" }>;

function addResponse(view: ConversationView, response: ServerPayloads["response"], at: string): ConversationView {
  if (response.is_final) return completeResponse(view, response, at);
  const { agent, turn_id: turnId, text } = response;
  const latest = view.entries.findLastIndex((entry) => isOfTurn(entry, turnId));
  const entry = view.entries[latest];
  if (entry?.kind !== "agent" || entry.agent !== agent || entry.isComplete)
    // An agent may hand over before it has said anything.
    return text.trim() === "" ? view : append(view, at, { ...newAnswer, agent, turnId, text });
  return replaceAt(view, latest, () => ({ ...entry, text: joinPieces(entry.text, text) }));
}

const newAnswer = { kind: "agent", isComplete: false, isInterrupted: false, unheard: "" } as const;

/**
 * One agent's words in a turn. After a handoff, each agent of the turn has an entry, in the order in which they spoke.
 */
function completeResponse(view: ConversationView, response: ServerPayloads["response"], at: string): ConversationView {
  const { agent, turn_id: turnId, text, interrupted: isInterrupted = false, author } = response;
  const spoken = findSpoken(view.entries, response);
  if (spoken === undefined) {
    if (text.trim() === "") return view;
    return insertAnswer(view, at, { ...newAnswer, agent, turnId, text, isComplete: true, isInterrupted, author });
  }
  // The final text of an uninterrupted answer replaces its fragments.
  const unheard = isInterrupted ? unheardText(text, spoken.text) : "";
  const completed: Entry = { ...spoken, text, isComplete: true, isInterrupted, unheard };
  // Words that nobody heard count as not said: this answer's, or those of answers that an interruption prevented.
  // What a guardrail held back was written all the same, and its mark stays.
  const isUnsaid = (entry: Entry): boolean =>
    entry.id === spoken.id
      ? text.trim() === "" && spoken.guardrails === undefined
      : isInterrupted && isOfTurn(entry, turnId) && !entry.isComplete && entry.id > spoken.id;
  return {
    ...view,
    entries: view.entries.flatMap((entry) => {
      if (isUnsaid(entry)) return [];
      return [entry.id === spoken.id ? completed : entry];
    }),
  };
}

/** A page that is opened in the middle of an answer is told of it when it has ended: after what came during the answer. */
function insertAnswer(
  view: ConversationView,
  at: string,
  answer: Extract<NewEntry, { kind: "agent" }>,
): ConversationView {
  return insertBefore(indexOfWhatFollows(view.entries, answer), view, at, answer);
}

/** The words that interrupted the answer, or the handoff that it led to, with its tool call. -1 if there are none. */
function indexOfWhatFollows(entries: readonly Entry[], answer: Pick<AgentEntry, "agent" | "turnId">): number {
  const interruption = entries.findIndex(
    (entry) =>
      entry.kind === "user" &&
      entry.isPast !== true &&
      entry.turnId !== undefined &&
      isLater(entry.turnId, answer.turnId),
  );
  if (interruption !== -1) return interruption;
  const asked = entries.findLastIndex(({ kind }) => kind === "user");
  const handoff = entries.findIndex(
    (entry, index) => index > asked && entry.kind === "handoff" && entry.from === answer.agent,
  );
  return entries[handoff - 1]?.kind === "tool" ? handoff - 1 : handoff;
}

/** Turns are numbered: `turn-12`. */
function isLater(turnId: string, than: string): boolean {
  const number = (id: string): number => Number(/\d+$/.exec(id)?.[0]);
  return number(turnId) > number(than);
}

/** The answer that is being written; a complete one can only be interrupted. */
function findSpoken(
  entries: readonly Entry[],
  { agent, turn_id: turnId, interrupted = false }: ServerPayloads["response"],
): AgentEntry | undefined {
  const own = entries.filter((entry) => isOfTurn(entry, turnId)).filter((entry) => entry.agent === agent);
  return own.find(({ isComplete }) => !isComplete) ?? (interrupted ? own.at(-1) : undefined);
}

function isOfTurn(entry: Entry, turnId: string): entry is AgentEntry {
  return entry.kind === "agent" && entry.turnId === turnId && entry.isPast !== true;
}

function addHandoff(view: ConversationView, { from, to }: ServerPayloads["handoff"], at: string): ConversationView {
  return append({ ...view, agent: to }, at, { kind: "handoff", from, to });
}

function addToolCall(view: ConversationView, call: ServerPayloads["tool_call"], at: string): ConversationView {
  const { name, args, result, status, duration_ms: durationMs } = call;
  const started = view.entries.findLastIndex(
    (entry) => entry.kind === "tool" && entry.name === name && entry.status === "started",
  );
  if (status === "started" || started === -1)
    return append(view, at, { kind: "tool", name, args, result, status, durationMs });
  return replaceAt(view, started, (entry) =>
    entry.kind === "tool" ? { ...entry, args, result, status, durationMs } : entry,
  );
}

/** The first clause of an answer may be held back before any of its words are shown. */
function addGuardrails(
  view: ConversationView,
  { agent, turn_id: turnId, names }: Extract<ServerPayloads["event"], { name: "guardrail" }>,
  at: string,
): ConversationView {
  const latest = view.entries.findLastIndex((entry) => isOfTurn(entry, turnId) && entry.agent === agent);
  if (latest === -1) return append(view, at, { ...newAnswer, agent, turnId, text: "", guardrails: names });
  return replaceAt(view, latest, (entry) =>
    entry.kind === "agent" ? { ...entry, guardrails: [...new Set([...(entry.guardrails ?? []), ...names])] } : entry,
  );
}

function applyEvent(view: ConversationView, event: ServerPayloads["event"], at: string): ConversationView {
  switch (event.name) {
    case "state_change":
      return { ...view, agentState: event.state, agent: event.agent };
    case "handoff":
      return addHandoff(view, event, at);
    case "tool_call":
      return addToolCall(view, { ...event, name: event.tool }, at);
    case "turn_metrics": {
      const { turn_id: turnId, metrics, why } = event;
      const latency = { turnId, agent: view.agent, metrics, ...(why !== undefined && { why }) };
      const earlier = view.latencies.filter((other) => other.turnId !== turnId);
      return { ...view, latencies: [...earlier, latency].slice(-maxLatencies) };
    }
    case "session_ended":
      return append({ ...view, agentState: undefined, interim: "", ended: event.reason }, at, {
        kind: "notice",
        tone: "info",
        text: endInWords(event.reason),
        ending: event.reason,
      });
    case "call_update":
      return addCallUpdate(view, event, at);
    case "fallback":
      return append(view, at, {
        kind: "notice",
        tone: "info",
        text: "The realtime model is gone; another way is taken.",
      });
    case "transcription_failed":
      // What was understood of the words so far has no end of its own.
      return insertWhere(
        event.began_at ?? at,
        { ...view, interim: "" },
        {
          kind: "notice",
          tone: "info",
          text: "The caller said something that could not be transcribed.",
        },
      );
    case "answer_cut":
      return append(view, at, {
        kind: "notice",
        tone: "info",
        text: cutInWords[event.cause],
      });
    case "tool_rounds_spent":
      return append(view, at, {
        kind: "notice",
        tone: "info",
        text: `The model called tools ${event.rounds} times in this turn, as often as it may.`,
      });
    case "guardrail":
      return addGuardrails(view, event, at);
    case "answered_by":
      return append(view, at, { kind: "notice", tone: "info", text: answeredByInWords[event.answered_by] });
    case "operator":
      return event.outcome === undefined
        ? append(view, at, { kind: "notice", tone: "info", text: operatorActionText(event) })
        : addLineOutcome(view, event, at);
    case "language_changed":
      return append(view, at, { kind: "notice", tone: "info", text: newLanguageInWords(event.language) });
    case "barge_in":
    case "false_interruption":
    case "playout_finished":
      return view;
    default:
      return event satisfies never;
  }
}

function operatorActionText({ action, text }: Extract<ServerPayloads["event"], { name: "operator" }>): string {
  const words = operatorActionInWords[action];
  return text === undefined ? words : `${words} Notes: ${text}`;
}

/** PERSON-1 to PERSON-3: what the agent said for an operator is marked, and what it did not say is shown with the reason. */
function addLineOutcome(
  view: ConversationView,
  { outcome, text = "", reason = "", turn_id: turnId = "" }: Extract<ServerPayloads["event"], { name: "operator" }>,
  at: string,
): ConversationView {
  if (outcome === "not_said") {
    const notice = `Not said for an operator: “${text}”. The reason: ${lineRefusalInWords(reason)}.`;
    return append(view, at, { kind: "notice", tone: "error", text: notice });
  }
  return {
    ...view,
    entries: view.entries.map((entry) => (isOfTurn(entry, turnId) ? { ...entry, author: "operator" as const } : entry)),
  };
}

/** A phone's stream may come again while its call goes on. */
export function endInWords(reason: string, isOutgoing = false): string {
  if (reason === "connection_lost")
    return "The connection to the caller was lost. The conversation goes on if it comes back.";
  return `The conversation ended because ${endingInWords(reason, isOutgoing)}.`;
}

function addCallUpdate(
  view: ConversationView,
  { update, status, failure }: Extract<ServerPayloads["event"], { name: "call_update" }>,
  at: string,
): ConversationView {
  if (failure !== undefined) {
    const text = `The call failed: ${failure.reason} (${failure.code}).`;
    return append(view, at, { kind: "notice", tone: "error", text });
  }
  const text = callUpdateInWords(update, status);
  return text === undefined ? view : append(view, at, { kind: "notice", tone: "info", text });
}

/** HIST-9: words may be known when their answer, or later words, have been shown. */
function insertWhere(beganAt: string, view: ConversationView, entry: NewEntry): ConversationView {
  const next = view.entries.findIndex(({ at }) => Date.parse(at) > Date.parse(beganAt));
  return insertBefore(next, view, beganAt, entry);
}

/** `index`: -1 for the end. */
function insertBefore(index: number, view: ConversationView, at: string, entry: NewEntry): ConversationView {
  const added = append(view, at, entry);
  const last = added.entries.at(-1);
  if (index === -1 || last === undefined) return added;
  return {
    ...added,
    entries: [...view.entries.slice(0, index), last, ...view.entries.slice(index)].slice(-maxEntries),
  };
}

function append(view: ConversationView, at: string, entry: NewEntry): ConversationView {
  const numbered: Entry = { ...entry, id: view.nextId, at };
  return { ...view, entries: [...view.entries, numbered].slice(-maxEntries), nextId: view.nextId + 1 };
}

function replaceAt(view: ConversationView, index: number, change: (entry: Entry) => Entry): ConversationView {
  return { ...view, entries: view.entries.map((entry, at) => (at === index ? change(entry) : entry)) };
}
