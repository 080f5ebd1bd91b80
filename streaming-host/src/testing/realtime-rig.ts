/** A session with a realtime model that the test controls, on a virtual clock. */
import type { ModelToolCall } from "@voice/provider-kit/ports/language-model";
import type { RealtimeModel } from "@voice/provider-kit/ports/realtime-model";
import type { Guardrail } from "@voice/shared/catalog/guardrail";
import type { Clock } from "@voice/shared/platform/clock";
import { silentLogger } from "@voice/shared/platform/logger";
import type { Logger } from "@voice/shared/platform/logger";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import type { ToolRunner } from "../pipeline/tool-round.ts";
import type { ToolCallOutcome } from "../pipeline/cascade/tool-call-outcome.ts";
import { fakeAgent, fakeCatalog } from "./fake-catalog.ts";
import { FakeRealtimeModel } from "./fake-realtime-model.ts";
import { FakeSynthesiser } from "./fake-synthesiser.ts";
import { FakeTransport } from "./fake-transport.ts";
import { openTestConversation } from "./open-test-conversation.ts";
import { toolSucceeded } from "./tool-succeeded.ts";
import type { EffectOutcome, HostEffect } from "../session/conversation/host-effects.ts";
import type { CheckForChanges } from "../session/conversation/live-changes.ts";
import type { SessionLoss } from "../session/modes/fallback-session.ts";
import { PlayoutTicker } from "../session/playout/playout-ticker.ts";
import { noRecorder } from "../session/recording/session-recorder.ts";
import { startRealtimeSession } from "../session/modes/realtime/realtime-session.ts";

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
  const clock = new VirtualClock();
  const state = createMemoryState({ clock });
  const transport = new FakeTransport(clock, 24_000);
  const model = new FakeRealtimeModel();
  const synthesiser = new FakeSynthesiser(clock);
  const catalog = fakeCatalog({ agents: [fakeAgent("desk", { guardrails }), fakeAgent("cards")] });
  const tools: ToolRunner = {
    definitions: () => [],
    run: async (calls, _context, onSlow) => {
      const { slowMs = 0, runMs = slowMs, effectsOf, ...more } = outcome;
      if (slowMs > 0) onSlow("One moment.");
      if (runMs > 0) {
        await new Promise<void>((resolve) => {
          clock.setTimer(runMs, resolve);
        });
      }
      return calls.map((call) =>
        toolSucceeded(call, { ...more, ...(effectsOf !== undefined && { effects: effectsOf(call) }) }),
      );
    },
  };
  const { conversation, resumed } = await openTestConversation(
    { clock, store: state.sessions, compileCatalog: async () => catalog },
    { streamingMode: "VOICE_LIVE" },
  );
  const session = startRealtimeSession({
    recorder: noRecorder,
    transport,
    conversation,
    resumed,
    model: createModel?.(clock) ?? model,
    tools,
    turn: { silenceMs: 500, idleMs: 10_000, bargeInEnabled, deadAirMs: 10_000, fillerMs, language: "en-US" },
    synthesiser,
    retry: { maxAttempts: 2, backoffFactor: 2, jitter: false },
    ticker: new PlayoutTicker(clock, silentLogger),
    clock,
    logger,
    random: () => 0.5,
    checkForChanges,
    publish: () => undefined,
    onEffect,
    ...(onLost !== undefined && { onLost }),
  });
  await clock.advanceAsync(1);
  return { clock, state, transport, model, session, conversation, synthesiser };
}
