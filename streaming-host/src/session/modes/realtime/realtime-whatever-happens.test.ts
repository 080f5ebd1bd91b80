/**
 * A realtime model's conversation on fakes, in which many things happen at once: what tools ask for is done at most once or taken back,
 * the model learns every result, every turn of the caller is answered, and only a model that is lost too often ends the conversation early.
 */
import { VoiceError } from "@voice/shared/platform/errors";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { HostEffect } from "../../conversation/host-effects.ts";
import { ToolCallingRealtimeModel } from "../../../testing/tool-calling-realtime-model.ts";
import { startRealtimeRig } from "../../../testing/realtime-rig.ts";

const runs = Number(process.env["MODEL_RUNS"] ?? 300);
const seed = Number(process.env["MODEL_SEED"] ?? 28);
const gone = new VoiceError("upstream_unavailable", "gone");

const move = fc.record({
  type: fc.constantFrom("says", "asks", "asks", "types", "types and asks", "coughs", "loses the connection", "is told"),
  pauseMs: fc.constantFrom(0, 100, 400, 900, 2500),
});
type Move = typeof move extends fc.Arbitrary<infer M> ? M : never;

async function converse(moves: readonly Move[], runMs: number, bargeInEnabled: boolean) {
  const effects: HostEffect[] = [];
  let created: ToolCallingRealtimeModel | undefined;
  const rig = await startRealtimeRig({
    runMs,
    effectsOf: ({ name }) => [{ type: "transfer", target: name, reason: "wanted" }],
    onEffect: async (effect) => {
      effects.push(effect);
      return { ok: true };
    },
    bargeInEnabled,
    createRealtimeModel: (clock) => (created = new ToolCallingRealtimeModel(clock)),
  });
  const { clock, session } = rig;
  if (created === undefined) throw new Error("no model was made");
  const model: ToolCallingRealtimeModel = created;
  let end: string | undefined;
  void session.ended.then((reason) => (end = reason));
  let said = 0;
  const happen = (type: Move["type"]): void => {
    const word = `word${said++}`;
    if (type === "says") model.hear(word);
    else if (type === "asks") model.hear(`${word} pay${said}`);
    else if (type === "coughs") model.hear("");
    else if (type === "types") session.handle({ type: "whole-turn", text: word });
    else if (type === "types and asks") session.handle({ type: "whole-turn", text: `${word} pay${said}` });
    else if (type === "is told") session.handle({ type: "line-given", text: "A line." });
    else model.end(gone);
  };
  await clock.advanceAsync(1000, 20);
  for (const { type, pauseMs } of moves) {
    happen(type);
    await clock.advanceAsync(pauseMs, 20);
  }
  await clock.advanceAsync(runMs * (moves.length + 1) + 12_000, 50);
  const apologised = rig.transport.heard.some(({ text }) => text.startsWith("I am sorry"));
  return { model, effects, session, conversation: rig.conversation, end, apologised };
}

it("[TOOL-3a] [FAIL-4l] [EFFECT-2a] [EFFECT-2b] [EFFECT-2c] answers what is asked, and does what tools ask for once or tells the model that it was not done", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(move, { maxLength: 8 }),
      fc.constantFrom(0, 600, 3000),
      fc.boolean(),
      async (moves, runMs, bargeIn) => {
        const { model, effects, session, conversation, end, apologised } = await converse(moves, runMs, bargeIn);
        const done = effects.map((effect) => (effect.type === "transfer" ? effect.target : ""));
        expect(done).toEqual([...new Set(done)]);
        expect(model.called).toEqual([...new Set(model.called)]);
        await session.close("finished");
        expect(await session.ended).toBe(end ?? "finished");
        // Only a model that is lost too often is told nothing any more.
        expect(["finished", "caller_silent", "realtime_lost"]).toContain(end ?? "finished");
        if (end === "realtime_lost") {
          expect(moves.filter(({ type }) => type === "loses the connection").length).toBeGreaterThan(2);
          return;
        }
        const history = conversation.knownHistory;
        const withdrawn = new Set(
          history
            .filter(({ role, toolCallId }) => role === "system" && toolCallId !== undefined)
            .map((item) => item.toolCallId),
        );
        for (const { id, name } of model.calls)
          expect([name, done.includes(name) ? "done" : withdrawn.has(id) ? "withdrawn" : "lost"]).not.toContain("lost");
        expect(model.calls.filter(({ id }) => !model.results.has(id))).toEqual([]);
        // FAIL-1: tools one after the other for longer than the caller is left in silence.
        const toolsMs = runMs * moves.filter(({ type }) => type.includes("ask")).length;
        if (toolsMs < 9000 || !apologised) expect(model.unanswered).toEqual([]);
      },
    ),
    { numRuns: runs, seed },
  );
}, 120_000);
