/** A session with a realtime model that the test controls, on a virtual clock. */
import type { ToolCall } from "@voice/shared/tools/tool-call";
import type { Guardrail } from "@voice/shared/catalog/guardrail";
import type { ToolCallResult } from "@voice/shared/tools/run-tools";
import type { HostEffect } from "../session/conversation/host-effects.ts";
import { startInMode } from "./both-modes-rig.ts";
import type { BothModesOptions } from "./both-modes-rig.ts";
import { fakeAgent, fakeCatalog } from "./fake-catalog.ts";
import { FakeRealtimeModel } from "./fake-realtime-model.ts";
import { toolSucceeded } from "./tool-succeeded.ts";

interface RealtimeRigOptions extends Pick<
  BothModesOptions,
  "bargeInEnabled" | "checkForChanges" | "createRealtimeModel" | "fillerMs" | "logger" | "onEffect" | "onLost"
> {
  /** What each tool call gives. */
  readonly outcome?: Partial<ToolCallResult>;
  readonly effectsOf?: (call: ToolCall) => readonly HostEffect[];
  /** How long tools take; `slowMs`: so long that they say so. */
  readonly runMs?: number;
  readonly slowMs?: number;
  readonly guardrails?: readonly Guardrail[];
}

export async function startRealtimeRig(options: RealtimeRigOptions = {}) {
  const { outcome, effectsOf, slowMs = 0, runMs = slowMs, guardrails = [], ...session } = options;
  const model = new FakeRealtimeModel();
  const rig = await startInMode("VOICE_LIVE", {
    catalog: fakeCatalog({ agents: [fakeAgent("desk", { guardrails }), fakeAgent("cards")] }),
    createRunner: (clock) => ({
      definitions: () => [],
      run: async (calls, _context, onSlow) => {
        if (slowMs > 0) onSlow("One moment.");
        if (runMs > 0) await new Promise<void>((resolve) => void clock.setTimer(runMs, resolve));
        return calls.map((call) =>
          toolSucceeded(call, { ...outcome, ...(effectsOf !== undefined && { effects: effectsOf(call) }) }),
        );
      },
    }),
    createRealtimeModel: () => model,
    ...session,
  });
  return { ...rig, model };
}
