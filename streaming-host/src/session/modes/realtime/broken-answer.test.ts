/** An answer of a realtime model that nobody hears to its end: what becomes of it, and of what its tools asked for. */
import { withoutWithdrawn } from "@voice/shared/conversation/withdrawn-effects";
import { VoiceError } from "@voice/shared/platform/errors";
import { describe, expect, it } from "vitest";
import type { HostEffect } from "../../conversation/host-effects.ts";
import type { SessionLoss } from "../fallback-session.ts";
import { startRealtimeRig } from "../../../testing/realtime-rig.ts";

const gone = new VoiceError("upstream_unavailable", "gone");

async function greeted(effect?: HostEffect) {
  const effects: HostEffect[] = [];
  const losses: SessionLoss[] = [];
  const rig = await startRealtimeRig({
    outcome: effect === undefined ? {} : { effects: [effect] },
    onEffect: async (asked) => {
      effects.push(asked);
      return { ok: true };
    },
    onLost: (loss) => losses.push(loss),
  });
  rig.model.answer("greeting", "Hello from desk.", 100);
  await rig.clock.advanceAsync(200, 10);
  return { ...rig, effects, losses };
}

/** The response that the tools' results were for. */
async function failAnswer({ model, clock }: Pick<Awaited<ReturnType<typeof greeted>>, "model" | "clock">) {
  model.emit(
    { type: "response-started", responseId: "2" },
    { type: "response-finished", responseId: "2", status: "failed" },
  );
  await clock.advanceAsync(100, 10);
}

const transfer = { type: "transfer", target: "person", reason: "wanted" } as const;
const hangUp = { type: "hang-up", reason: "the caller said goodbye" } as const;

describe("an answer that breaks off when its tools have run", () => {
  it("[EFFECT-2d] transfers nobody, and tells the model so", async () => {
    const rig = await greeted(transfer);
    const { model, clock, effects, conversation } = rig;
    model.callTool("transfer");
    await clock.advanceAsync(100, 10);
    await failAnswer(rig);
    expect(model.log.at(-1)).toMatch(/^respond I am sorry, something went wrong/);
    expect(effects).toEqual([]);
    expect(model.remembered.at(-1)).toMatchObject({ role: "user", text: expect.stringContaining("broke off") });
    const result = withoutWithdrawn(conversation.knownHistory).find(({ role }) => role === "tool");
    expect(result?.content).toContain("broke_off");
  });

  it("[EFFECT-2e] [FAIL-4j] transfers once the answer was heard that the next connection was asked for", async () => {
    const { model, clock, effects } = await greeted(transfer);
    model.callTool("transfer");
    await clock.advanceAsync(100, 10);
    model.end(gone);
    await clock.advanceAsync(1500, 50);
    expect([model.opened.length, effects]).toEqual([2, []]);
    model.answer("b", "I am connecting you.", 300);
    await clock.advanceAsync(500, 10);
    expect(effects).toEqual([expect.objectContaining(transfer)]);
  });

  it("[END-4] [EFFECT-2d] transfers nobody who is told goodbye instead", async () => {
    const { model, clock, session, effects } = await greeted(transfer);
    model.callTool("transfer");
    await clock.advanceAsync(100, 10);
    model.answer("b", "I am connecting you.", 3000);
    await clock.advanceAsync(500, 10);
    session.handle({ type: "farewell-requested", reason: "max_duration" });
    await clock.advanceAsync(5000, 10);
    expect(model.log.at(-1)).toMatch(/^respond /);
    expect(effects).toEqual([]);
  });

  it("[END-3] [FAIL-2b] says goodbye where it was to hang up", async () => {
    const rig = await greeted(hangUp);
    const { model, clock } = rig;
    model.callTool("end_call");
    await clock.advanceAsync(100, 10);
    await failAnswer(rig);
    expect(model.log.at(-1)).toBe("respond Goodbye.");
  });
});

it("[FAIL-6b] has the successor give the answer that was still being heard when the model was lost", async () => {
  const { model, clock, losses } = await greeted();
  model.answer("a", "Your balance is ten dollars, and there is more to tell.", 20_000);
  await clock.advanceAsync(500, 50);
  model.hangs = true;
  model.end(gone);
  await clock.advanceAsync(6000, 50);
  expect(losses).toMatchObject([{ callerWaits: true }]);
});
