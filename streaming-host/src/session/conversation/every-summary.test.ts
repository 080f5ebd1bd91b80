/** A long conversation on a small budget, with summaries that are slow, fail or come too late: nothing is lost, nothing is there twice. */
import type { HistoryItem } from "@voice/shared/state/ports/session-store";
import fc from "fast-check";
import { expect, it } from "vitest";
import { CondensedHistory } from "./condensed-history.ts";

const budget = { maxTokens: 120, keepTurns: 2 };

const move = fc.oneof(
  { weight: 6, arbitrary: fc.record({ type: fc.constant("turn" as const), tools: fc.nat({ max: 2 }) }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constantFrom("written", "failed") }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("afresh" as const) }) },
);

/** The words of a turn are its number, so that it can be told where each of them is. */
function turnOf(number: number, tools: number): HistoryItem[] {
  const common = { agent: "desk", turnId: `turn-${number}`, timestampMs: number, interrupted: false };
  const calls = Array.from({ length: tools }, (_call, index) => `call-${number}-${index}`);
  return [
    { ...common, role: "user", content: `<u${number}> so` },
    ...calls.flatMap((id): HistoryItem[] => [
      { ...common, role: "assistant", content: "", toolCalls: [{ id, name: "look_up", argumentsJson: "{}" }] },
      { ...common, role: "tool", content: `found something for ${id}`, toolCallId: id, toolName: "look_up" },
    ]),
    { ...common, role: "assistant", content: `<a${number}> with several words in it` },
  ];
}

const saidIn = (text: string): readonly string[] => text.match(/<[ua]\d+>/g) ?? [];

it("[HIST-1] the history for the model has every turn once, in its summary or in full, and every call with its result, whatever becomes of the summaries", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(move, { maxLength: 60 }), async (moves) => {
      const asked: { readonly words: readonly string[]; readonly answer: PromiseWithResolvers<string> }[] = [];
      const history = new CondensedHistory({
        budget: () => budget,
        summarise: (previous, items) => {
          const answer = Promise.withResolvers<string>();
          asked.push({ words: saidIn([previous ?? "", ...items.map(({ content }) => content)].join(" ")), answer });
          return answer.promise;
        },
      });
      let known: HistoryItem[] = [];
      let number = 0;
      for (const next of moves) {
        if (next.type === "turn") known.push(...turnOf(++number, next.tools));
        else if (next.type === "afresh") known = [];
        else {
          // Any that is under way, also one that has been overtaken.
          const [one] = asked.splice(0, 1);
          if (next.type === "written") one?.answer.resolve(one.words.join(" "));
          else one?.answer.reject(new Error("down"));
          for (let round = 0; round < 5; round++) await Promise.resolve();
        }
        const read = history.read(known);
        const marks = read.flatMap(({ content }) => saidIn(content));
        expect(marks).toEqual([...new Set(marks)]);
        // A plain summary has the caller's words alone.
        const asCaller = (mark: string): boolean => mark.startsWith("<u");
        expect(marks.filter(asCaller)).toEqual(known.flatMap(({ content }) => saidIn(content)).filter(asCaller));
        expect(read.filter(({ role }) => role === "system").length).toBeLessThanOrEqual(1);
        expect(read.at(-1)).toBe(known.at(-1));
        const calls = read.flatMap(({ toolCalls = [] }) => toolCalls.map(({ id }) => id));
        expect(read.flatMap(({ toolCallId }) => (toolCallId === undefined ? [] : [toolCallId]))).toEqual(calls);
      }
    }),
    { numRuns: 300, seed: 28 },
  );
});
