/** A cascade session on fakes, all of them on one virtual clock. */
import type { SessionCatalog } from "@voice/shared/catalog/session-catalog";
import { silentLogger } from "@voice/shared/platform/logger";
import type { Logger } from "@voice/shared/platform/logger";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import type { LanguageModel } from "@voice/provider-kit/ports/language-model";
import type { ToolRunner } from "../pipeline/tool-round.ts";
import type { ToolCallOutcome } from "../pipeline/cascade/tool-call-outcome.ts";
import type { VoiceSessionOptions } from "../session/modes/cascade/cascade-session-options.ts";
import { startVoiceSession } from "../session/modes/cascade/cascade-session.ts";
import { PlayoutTicker } from "../session/playout/playout-ticker.ts";
import { noRecorder } from "../session/recording/session-recorder.ts";
import { testListener, testTurnSettings } from "./cascade-parts.ts";
import { fakeCatalog } from "./fake-catalog.ts";
import { FakeRecogniser } from "./fake-recogniser.ts";
import { FakeSynthesiser, msPerCharacter } from "./fake-synthesiser.ts";
import { FakeTransport } from "./fake-transport.ts";
import { openTestConversation } from "./open-test-conversation.ts";
import { ScriptedModel } from "./scripted-model.ts";
import type { ScriptedAnswer } from "./scripted-model.ts";
import { toolSucceeded } from "./tool-succeeded.ts";

export interface CascadeRigOptions {
  /** In place of one that gives the `answers`. */
  readonly model?: LanguageModel;
  readonly answers?: readonly ScriptedAnswer[];
  readonly catalog?: SessionCatalog;
  readonly tools?: (call: { id: string; name: string; argumentsJson: string }) => Partial<ToolCallOutcome>;
  /** How long each step's tools take. */
  readonly toolMs?: number;
  /** In place of tools that take `toolMs` and give what `tools` says. */
  readonly createRunner?: (clock: VirtualClock) => ToolRunner;
  readonly sessionId?: string;
  readonly state?: ReturnType<typeof createMemoryState>;
  readonly clock?: VirtualClock;
  readonly logger?: Logger;
  readonly turnSettings?: VoiceSessionOptions["turnSettings"];
}

export async function startCascadeRig(options: CascadeRigOptions = {}) {
  const clock = options.clock ?? new VirtualClock();
  const state = options.state ?? createMemoryState({ clock });
  const transport = new FakeTransport(clock);
  const recogniser = new FakeRecogniser();
  const synthesiser = new FakeSynthesiser(clock);
  const model = new ScriptedModel(...(options.answers ?? []));
  const catalog = options.catalog ?? fakeCatalog();
  const effects: string[] = [];
  /** Whose words for a failure were asked for, and how many clauses had been asked for before. */
  const fallbacks: { agent: string; clausesBefore: number }[] = [];
  let hearsSpeech = false;
  const tools: ToolRunner = options.createRunner?.(clock) ?? {
    definitions: () => [{ name: "look_up", description: "", parameters: {} }],
    lookUpKey: (_agent, { name, argumentsJson }) => (name === "look_up" ? argumentsJson : undefined),
    run: async (calls) => {
      const { toolMs = 0 } = options;
      if (toolMs > 0) await new Promise<void>((resolve) => void clock.setTimer(toolMs, resolve));
      return calls.map((call) => toolSucceeded(call, options.tools?.(call)));
    },
  };
  const { conversation, resumed } = await openTestConversation(
    { clock, store: state.sessions, compileCatalog: async () => catalog },
    { streamingMode: "REALTIME", sessionId: options.sessionId },
  );
  const session = startVoiceSession({
    transport,
    conversation,
    resumed,
    ticker: new PlayoutTicker(clock, silentLogger),
    recorder: noRecorder,
    clock,
    logger: options.logger ?? silentLogger,
    publish: () => undefined,
    onEffect: async (effect) => {
      effects.push(effect.type);
      return { ok: true };
    },
    createListener: testListener({ clock, recogniser, inputRateHz: 16_000, isSpeech: () => hearsSpeech }),
    reply: { model: options.model ?? model, synthesiser, tools, language: "en-US", wallNow: () => clock.wallNow() },
    turnSettings: options.turnSettings ?? testTurnSettings,
    prepareFallback: ({ name }) => fallbacks.push({ agent: name, clausesBefore: synthesiser.requests.length }),
  });

  /** Time passes and frames come in, as on a live line. */
  async function listen(ms: number, isSpeech = false): Promise<void> {
    hearsSpeech = isSpeech;
    for (let elapsed = 0; elapsed < ms; elapsed += 20) {
      session.onAudio(new Int16Array(320));
      await clock.advanceAsync(20, 10);
    }
    hearsSpeech = false;
  }

  await clock.advanceAsync(1);
  return { clock, state, transport, recogniser, synthesiser, model, session, conversation, listen, effects, fallbacks };
}

/** How long the first agent's greeting lasts. */
export const greetingMs = "Hello from desk.".length * msPerCharacter;
