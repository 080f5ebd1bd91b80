/** A session with a realtime model that the test controls, on a virtual clock. */
import type { ModelToolCall } from "@voice/provider-kit/ports/language-model";
import type { RealtimeModel } from "@voice/provider-kit/ports/realtime-model";
import type { Guardrail } from "@voice/shared/catalog/guardrail";
import type { Clock } from "@voice/shared/platform/clock";
import { silentLogger } from "@voice/shared/platform/logger";
import type { Logger } from "@voice/shared/platform/logger";
import type { ToolCallOutcome } from "../pipeline/cascade/tool-call-outcome.ts";
import type { EffectOutcome, HostEffect } from "../session/conversation/host-effects.ts";
import type { CheckForChanges } from "../session/conversation/live-changes.ts";
import type { SessionLoss } from "../session/modes/fallback-session.ts";
import { startInMode } from "./both-modes-rig.ts";
import { fakeAgent, fakeCatalog } from "./fake-catalog.ts";
import { FakeRealtimeModel } from "./fake-realtime-model.ts";
import { toolSucceeded } from "./tool-succeeded.ts";

export async function startRealtimeRig(
  outcome: Partial<ToolCallOutcome> & {
    readonly slowMs?: number;
    readonly runMs?: number;
    readonly effectsOf?: (call: ModelToolCall) => readonly HostEffect[];
  } = {},
  checkForChanges?: CheckForChanges,
  onEffect: (effect: HostEffect) => Promise<EffectOutcome> = async () => ({ ok: true }),
  guardrails: readonly Guardrail[] = [],
  fillerMs = 0,
  bargeInEnabled = true,
  onLost?: (loss: SessionLoss) => void,
  createModel?: (clock: Clock) => RealtimeModel,
  logger: Logger = silentLogger,
) {
  const model = new FakeRealtimeModel();
  const rig = await startInMode("VOICE_LIVE", {
    catalog: fakeCatalog({ agents: [fakeAgent("desk", { guardrails }), fakeAgent("cards")] }),
    createRunner: (clock) => ({
      definitions: () => [],
      run: async (calls, _context, onSlow) => {
        const { slowMs = 0, runMs = slowMs, effectsOf, ...more } = outcome;
        if (slowMs > 0) onSlow("One moment.");
        if (runMs > 0) await new Promise<void>((resolve) => void clock.setTimer(runMs, resolve));
        return calls.map((call) =>
          toolSucceeded(call, { ...more, ...(effectsOf !== undefined && { effects: effectsOf(call) }) }),
        );
      },
    }),
    createRealtimeModel: (clock) => createModel?.(clock) ?? model,
    fillerMs,
    bargeInEnabled,
    checkForChanges,
    onEffect,
    onLost,
    logger,
  });
  return { ...rig, model };
}
