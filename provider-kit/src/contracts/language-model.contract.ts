/** The requirements that an agent has of every language model, whatever its vendor. Each provider's test calls this with its factory. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { LanguageModel, ModelEvent, ModelMessage, ModelRequest } from "../ports/language-model.ts";
import type { ScriptedAnswer } from "./scripted-answer.ts";

export interface LanguageModelRig {
  readonly model: LanguageModel;
  /** The model's responses: the double of its service returns these, in this order. */
  readonly answers: { push(...answers: readonly ScriptedAnswer[]): unknown };
  close(): Promise<void>;
}

export interface LanguageModelFixture {
  readonly name: string;
  create(): Promise<LanguageModelRig>;
  /** The same with a key that its service rejects; absent for a model without a service. */
  createRefused?(): Promise<LanguageModelRig>;
  /** False for a model that calls one tool at a time. */
  readonly callsTogether?: boolean;
  /** False if its service returns a response as a whole. */
  readonly streams?: boolean;
}

const neverAborted = new AbortController().signal;
const findOrder = {
  name: "find_order",
  description: "Finds an order by its number.",
  parameters: { type: "object", properties: { number: { type: "string" } }, required: ["number"] },
};
const call = (number: string) => ({
  id: `call-${number}`,
  name: findOrder.name,
  argumentsJson: JSON.stringify({ number }),
});
const greeting: ModelMessage = { role: "assistant", content: "This is the bakery. What can I do for you?" };
const question: ModelMessage = { role: "user", content: "where is my order" };

function request(...messages: readonly ModelMessage[]): ModelRequest {
  return {
    agent: { name: "bakery", templateVars: {} },
    messages: [{ role: "system", content: "You answer for a bakery. Be brief." }, ...messages],
    tools: [findOrder],
    settings: { deploymentId: "small", maxTokens: 200 },
    memory: {},
  };
}

async function readAll(stream: AsyncIterable<ModelEvent>): Promise<ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

const textOf = (events: readonly ModelEvent[]): string =>
  events.map((event) => (event.type === "text-delta" ? event.text : "")).join("");
const callsOf = (events: readonly ModelEvent[]) =>
  events.flatMap((event) => (event.type === "tool-call" ? [event.call] : []));

export function languageModelContract(fixture: LanguageModelFixture): void {
  describe(`language model contract: ${fixture.name}`, () => {
    let rig: LanguageModelRig;
    beforeEach(async () => {
      rig = await fixture.create();
    });
    afterEach(() => rig.close());

    const says = (text: string) => rig.answers.push({ kind: "completion", text });
    const calls = (...numbers: readonly string[]) =>
      rig.answers.push({ kind: "completion", toolCalls: numbers.map(call) });
    const ask = (...messages: readonly ModelMessage[]) => readAll(rig.model.stream(request(...messages), neverAborted));
    const smallTalk: ModelMessage = { role: "user", content: "good morning to you" };

    it("answers in pieces, and says once, at the end, that it has finished", async () => {
      says("Good morning, what can I do for you?");
      const events = await ask(smallTalk);
      expect(textOf(events)).toBe("Good morning, what can I do for you?");
      const pieces = events.filter(({ type }) => type === "text-delta").length;
      if (fixture.streams !== false) expect(pieces).toBeGreaterThan(1);
      expect(events.filter(({ type }) => type === "finished")).toEqual([events.at(-1)]);
      expect(events.at(-1)).toMatchObject({ reason: "stop" });
    });

    it("counts whole tokens, if it counts them", async () => {
      says("Good morning.");
      const last = (await ask(smallTalk)).at(-1);
      const { inputTokens, outputTokens } = (last?.type === "finished" && last.usage) || {
        inputTokens: 0,
        outputTokens: 0,
      };
      for (const tokens of [inputTokens, outputTokens]) expect(Number.isInteger(tokens) && tokens >= 0).toBe(true);
    });

    it("calls a tool with arguments that are JSON, and goes on with its result", async () => {
      calls("17");
      const events = await ask(question);
      const [called] = callsOf(events);
      expect(called).toMatchObject({ id: expect.stringMatching(/./), name: "find_order" });
      expect(JSON.parse(called?.argumentsJson ?? "")).toEqual({ number: "17" });
      expect(events.at(-1)).toMatchObject({ type: "finished", reason: "tool-calls" });
      if (called === undefined) throw new Error("it called no tool");
      says("It is in the oven.");
      const result = JSON.stringify({ success: true, state: "in the oven" });
      const after = await ask(
        question,
        { role: "assistant", content: "", toolCalls: [called] },
        { role: "tool", toolCallId: called.id, name: called.name, content: result },
      );
      expect(textOf(after)).toBe("It is in the oven.");
    });

    it("keeps calls apart that it makes together", async () => {
      calls("17", "18");
      const made = callsOf(await ask(question));
      const wanted = fixture.callsTogether === false ? ["17"] : ["17", "18"];
      expect(made.map(({ argumentsJson }) => JSON.parse(argumentsJson))).toEqual(wanted.map((number) => ({ number })));
      expect(new Set(made.map(({ id }) => id)).size).toBe(wanted.length);
    });

    it("answers whatever a conversation has been like", async () => {
      const spoilt = { id: "call-1", name: "find_order", argumentsJson: '{"number": "1' };
      const conversations: readonly (readonly ModelMessage[])[] = [
        [greeting, question],
        [greeting, { role: "user", content: "…", understood: false }, question],
        [greeting, question, greeting, { role: "system", content: "The caller interrupted here." }, question, question],
        [
          question,
          { role: "assistant", content: "Let me look." },
          { role: "assistant", content: "", toolCalls: [spoilt] },
          { role: "tool", toolCallId: "call-1", name: "find_order", content: '{"success":false}' },
          question,
        ],
      ];
      for (const messages of conversations) {
        says("One moment.");
        expect((await ask(...messages)).at(-1)).toMatchObject({ type: "finished" });
      }
    });

    it("throws the signal's reason in mid answer, and says nothing after it", async () => {
      says("One two three four five six seven eight.");
      const reason = new Error("the caller interrupts");
      const abort = new AbortController();
      const heard: ModelEvent[] = [];
      const reading = (async () => {
        for await (const event of rig.model.stream(request(smallTalk), abort.signal)) {
          heard.push(event);
          abort.abort(reason);
        }
      })();
      await expect(reading).rejects.toBe(reason);
      expect(heard).toHaveLength(1);
    });

    it("does not begin for a signal that is already aborted", async () => {
      const reason = new Error("too late");
      const reading = readAll(rig.model.stream(request(smallTalk), AbortSignal.abort(reason)));
      await expect(reading).rejects.toBe(reason);
    });

    it("answers again after somebody stopped reading", async () => {
      says("One two three four.");
      for await (const event of rig.model.stream(request(smallTalk), neverAborted)) {
        expect(event.type).toBe("text-delta");
        break;
      }
      says("Five six.");
      expect(textOf(await ask(smallTalk))).toBe("Five six.");
    });

    it("keeps simultaneous conversations apart", async () => {
      says("One two three.");
      const first = rig.model.stream(request(smallTalk), neverAborted)[Symbol.asyncIterator]();
      const begun = await first.next();
      says("Four five six.");
      expect(textOf(await ask(smallTalk))).toBe("Four five six.");
      const rest = await readAll({ [Symbol.asyncIterator]: () => first });
      expect(textOf([...(begun.done === true ? [] : [begun.value]), ...rest])).toBe("One two three.");
    });

    it.each([fixture.createRefused ?? []].flat())(
      "fails with a VoiceError when its service refuses it",
      async (createRefused) => {
        const refused = await createRefused();
        try {
          const reading = readAll(refused.model.stream(request(smallTalk), neverAborted));
          await expect(reading).rejects.toMatchObject({ code: "upstream_unavailable", retryable: false });
        } finally {
          await refused.close();
        }
      },
    );
  });
}
