/** A whole conversation on fakes, in which many things happen at once: every turn is answered, once, and no tool runs twice. */
import type { LanguageModel, ModelEvent, ModelMessage, ModelRequest } from "@voice/provider-kit/ports/language-model";
import { VoiceError } from "@voice/shared/platform/errors";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { ToolCallResult } from "@voice/shared/tools/run-tools";
import { startCascadeRig } from "../../../testing/cascade-rig.ts";

const runs = 30;

const pauseMs = fc.constantFrom(100, 300, 700, 1500, 4000);
const finals = fc.constantFrom("at once", "late", "split", "after a lost connection");
const move = fc.oneof(
  { weight: 6, arbitrary: fc.record({ type: fc.constant("says"), asks: fc.boolean(), final: finals, pauseMs }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant("types"), asks: fc.boolean(), pauseMs }) },
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constantFrom("coughs", "murmurs", "pauses", "loses the recogniser", "loses the model", "is told"),
      pauseMs,
    }),
  },
);
type Move = typeof move extends fc.Arbitrary<infer M> ? M : never;

async function converse(moves: readonly Move[], toolMs: number, result: ToolCallResult["result"] = { success: true }) {
  const model = new ToolCallingModel();
  const ran: string[] = [];
  const rig = await startCascadeRig({
    model,
    toolMs,
    tools: ({ name }) => {
      ran.push(name);
      return { result };
    },
  });
  const { session, recogniser, listen, conversation } = rig;
  const said: string[] = [];
  const say = async (final: string, text: string): Promise<void> => {
    await listen(400, true);
    recogniser.last.partial("please tell");
    await listen(500, true);
    recogniser.last.partial(text);
    if (final === "late") await listen(2600);
    if (final === "split") {
      recogniser.last.final("please tell");
      await listen(200);
    }
    if (final === "after a lost connection") {
      recogniser.last.fail(new VoiceError("upstream_unavailable", "gone"));
      await listen(1500);
    }
    recogniser.last.final(final === "split" ? text.replace("please tell ", "") : text);
  };
  const words = ({ asks }: { readonly asks: boolean }): string => {
    const number = said.push(`word${said.length}`);
    return `please tell ${said.at(-1)}${asks ? ` pay${number}` : ""} now`;
  };
  const happen = async (next: Move): Promise<void> => {
    switch (next.type) {
      case "says":
        return say(next.final, words(next));
      case "types":
        session.handle({ type: "whole-turn", text: words(next) });
        return;
      case "coughs":
        await listen(300, true);
        recogniser.last.final("");
        return;
      case "murmurs":
        await listen(300, true);
        recogniser.last.final("okay");
        return;
      case "pauses":
        session.handle({ type: "paused", isPaused: true });
        await listen(1000);
        session.handle({ type: "paused", isPaused: false });
        return;
      case "loses the recogniser":
        recogniser.last.fail(new VoiceError("upstream_unavailable", "gone"));
        return;
      case "loses the model":
        model.breaksOff = true;
        return;
      case "is told":
        session.handle({ type: "line-given", text: "A line." });
    }
  };
  let hasEnded = false;
  void session.ended.then(() => (hasEnded = true));
  for (const next of moves) {
    await happen(next);
    await listen(next.pauseMs);
  }
  model.breaksOff = false;
  await listen(9000);
  const isOver = hasEnded;
  if (!isOver) {
    said.push("lastly");
    await say("at once", "please tell lastly");
    await listen(9000);
  }
  const history = conversation.knownHistory;
  await session.close("finished");
  return { history, said, ran, isOver, requests: model.requests };
}

/** No tool call without its results, right behind it, and no result without its call. */
function expectWholeCalls(messages: readonly ModelMessage[]): void {
  const called: string[] = [];
  for (const [at, message] of messages.entries()) {
    if (message.role !== "assistant" || message.toolCalls === undefined) continue;
    const ids = message.toolCalls.map(({ id }) => id);
    called.push(...ids);
    expect(messages.slice(at + 1, at + 1 + ids.length)).toMatchObject(
      ids.map((id) => ({ role: "tool", toolCallId: id })),
    );
  }
  expect(messages.flatMap((message) => (message.role === "tool" ? [message.toolCallId] : []))).toEqual(called);
}

it("[TURN-11] [HIST-1] [HIST-4] [FAIL-4l] [TOOL-3a] answers every turn once, and runs no tool twice, whatever happens at once", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(move, { maxLength: 12 }), fc.constantFrom(0, 1000, 5000), async (moves, toolMs) => {
      const { history, said, ran, isOver, requests } = await converse(moves, toolMs);
      expect(ran).toEqual([...new Set(ran)]);
      for (const { messages } of requests) expectWholeCalls(messages);
      if (isOver) return; // the model was lost three times in a row
      const words = history.flatMap(({ role, content }) => (role === "user" ? content.split(" ") : []));
      expect(words.filter((word) => said.includes(word))).toEqual(said);
      expect(history.at(-1)).toMatchObject({ role: "assistant", interrupted: false });
    }),
    { numRuns: runs, seed: 28 },
  );
}, 120_000);

/** Four of them are more than a model is sent word by word. */
const longResult = { rows: "one row and another ".repeat(400) };

it("[HIST-1] [TOOL-3e] sends whole tool calls behind the prompt and what came before in short, when tools have said a lot", async () => {
  const talkative = fc.array(move, { minLength: 8, maxLength: 14 });
  let summedUp = 0;
  await fc.assert(
    fc.asyncProperty(talkative, fc.constantFrom(0, 1000, 5000), async (moves, toolMs) => {
      const { said, ran, isOver, requests } = await converse(moves, toolMs, longResult);
      expect(ran).toEqual([...new Set(ran)]);
      for (const { messages } of requests) {
        expectWholeCalls(messages);
        const [prompt, note, ...rest] = messages.map(({ role, content }) => ({ role, content }));
        expect(prompt).toMatchObject({ role: "system", content: expect.stringContaining("You are desk.") });
        if (note?.content.startsWith("What was said earlier") === true) summedUp += 1;
        expect(rest.filter(({ content }) => content.startsWith("What was said earlier"))).toEqual([]);
      }
      const asked = requests.map(({ messages }) => messages.findLast(({ role }) => role === "user")?.content);
      if (!isOver) expect(asked.at(-1)).toContain(said.at(-1));
    }),
    { numRuns: runs, seed: 28 },
  );
  expect(summedUp).toBeGreaterThan(0);
}, 120_000);

const named = /\bpay\d+\b/g;

/**
 * A model that does once what the caller asks for, as far as it can see: it calls the tool that their words name unless it has called it
 * before, and then answers. So a tool runs twice if the model was not told that it has run.
 */
class ToolCallingModel implements LanguageModel {
  readonly requests: ModelRequest[] = [];
  /** The next request is lost after a few words. */
  breaksOff = false;

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent> {
    const number = this.requests.push(request);
    const { messages } = request;
    const breaksOff = this.breaksOff;
    this.breaksOff = false;
    yield { type: "text-delta", text: "Let me see. " };
    if (breaksOff) throw new VoiceError("upstream_unavailable", "the connection was lost");
    signal.throwIfAborted();
    const names = wantedOf(messages);
    for (const [index, name] of names.entries())
      yield { type: "tool-call", call: { id: `call-${number}-${index}`, name, argumentsJson: "{}" } };
    if (names.length === 0) yield { type: "text-delta", text: "That is all I can tell you." };
    yield { type: "finished", reason: names.length === 0 ? "stop" : "tool-calls" };
  }
}

function wantedOf(messages: readonly ModelMessage[]): readonly string[] {
  const called = new Set(
    messages.flatMap((message) =>
      message.role === "assistant" ? (message.toolCalls ?? []).map(({ name }) => name) : [],
    ),
  );
  const words = messages.flatMap(({ role, content }) => (role === "user" ? [content] : [])).join(" ");
  return [...new Set(words.match(named))].filter((name) => !called.has(name));
}
