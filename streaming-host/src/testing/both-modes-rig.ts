/** The same conversation in MEDIA and in VOICE_LIVE: what the model says, how long it takes and what the caller does are equal in both. */
import type { LanguageModel } from "@voice/provider-kit/ports/language-model";
import type { RealtimeModel } from "@voice/provider-kit/ports/realtime-model";
import type { SpeechDefaults } from "@voice/shared/catalog/catalog-in-language";
import type { SessionCatalog } from "@voice/shared/catalog/session-catalog";
import { silentLogger } from "@voice/shared/platform/logger";
import type { Logger } from "@voice/shared/platform/logger";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import type { ToolCallResult } from "@voice/shared/tools/run-tools";
import type { ToolCall } from "@voice/shared/tools/tool-call";
import type { ToolRunner } from "../pipeline/tool-round.ts";
import type { EffectOutcome, HostEffect } from "../session/conversation/host-effects.ts";
import type { CheckForChanges } from "../session/conversation/live-changes.ts";
import type { VoiceSessionOptions } from "../session/modes/cascade/cascade-session-options.ts";
import { startVoiceSession } from "../session/modes/cascade/cascade-session.ts";
import type { SessionLoss } from "../session/modes/fallback-session.ts";
import type { LiveSession } from "../session/modes/live-session.ts";
import { startRealtimeSession } from "../session/modes/realtime/realtime-session.ts";
import type { ListenToPerson } from "../session/person/person-line.ts";
import type { SessionNotice } from "../transports/transport.ts";
import { PlayoutTicker } from "../session/playout/playout-ticker.ts";
import { testListener, testRetry, testTurnSettings } from "./cascade-parts.ts";
import { fakeCatalog } from "./fake-catalog.ts";
import { FakeRecogniser } from "./fake-recogniser.ts";
import { FakeSynthesiser } from "./fake-synthesiser.ts";
import { FakeTransport } from "./fake-transport.ts";
import { openTestConversation } from "./open-test-conversation.ts";
import { RealtimeModelOf } from "./realtime-model-of.ts";
import { ScriptedModel } from "./scripted-model.ts";
import type { ScriptedAnswer } from "./scripted-model.ts";
import { toolSucceeded } from "./tool-succeeded.ts";
import { unobserved } from "./unobserved.ts";

export type BothModes = "MEDIA" | "VOICE_LIVE";
export const bothModes: readonly BothModes[] = ["MEDIA", "VOICE_LIVE"];

export interface BothModesOptions {
  /** In place of one that gives the `answers`. */
  readonly model?: LanguageModel;
  readonly answers?: readonly ScriptedAnswer[];
  readonly catalog?: SessionCatalog;
  readonly tools?: (call: ToolCall) => Partial<ToolCallResult>;
  /** How long each step's tools take. */
  readonly toolMs?: number;
  /** In place of tools that take `toolMs` and give what `tools` says. */
  readonly createRunner?: (clock: VirtualClock) => ToolRunner;
  readonly fillerMs?: number;
  readonly bargeInEnabled?: boolean;
  /** In VOICE_LIVE, in place of a service that says what the model writes. */
  readonly createRealtimeModel?: ((clock: VirtualClock) => RealtimeModel) | undefined;
  readonly onLost?: ((loss: SessionLoss) => void) | undefined;
  readonly logger?: Logger;
  readonly turnSettings?: VoiceSessionOptions["turnSettings"];
  readonly checkForChanges?: CheckForChanges | undefined;
  readonly speechDefaults?: SpeechDefaults;
  readonly sessionId?: string;
  /** The announcement that the conversation is recorded. */
  readonly announcement?: string;
  readonly state?: ReturnType<typeof createMemoryState>;
  readonly clock?: VirtualClock;
  readonly onEffect?: (effect: HostEffect) => Promise<EffectOutcome>;
}

export async function startInMode(mode: BothModes, options: BothModesOptions = {}) {
  const { fillerMs = 0, toolMs = 0, onEffect = async () => ({ ok: true }) as const } = options;
  const clock = options.clock ?? new VirtualClock();
  const state = options.state ?? createMemoryState({ clock });
  const sampleRateHz = mode === "MEDIA" ? 16_000 : 24_000;
  const transport = new FakeTransport(clock, sampleRateHz);
  const synthesiser = new FakeSynthesiser(clock);
  const scripted = new ScriptedModel(...(options.answers ?? []));
  const model = options.model ?? scripted;
  const catalog = options.catalog ?? fakeCatalog();
  const effects: HostEffect[] = [];
  /** Whose phrases for a failure were requested, and how many clauses had been requested before. */
  const fallbacks: { agent: string; clausesBefore: number }[] = [];
  const published: SessionNotice[] = [];
  let personFinal: Parameters<ListenToPerson>[0] = () => undefined;
  const recogniser = new FakeRecogniser();
  const realtime = new RealtimeModelOf(clock, model);
  let hearsSpeech = false;
  const tools: ToolRunner = options.createRunner?.(clock) ?? {
    definitions: () => [{ name: "look_up", description: "", parameters: {} }],
    lookUpKey: (_agent, { name, argumentsJson }) => (name === "look_up" ? argumentsJson : undefined),
    run: async (calls) => {
      if (toolMs > 0) await new Promise<void>((resolve) => void clock.setTimer(toolMs, resolve));
      return calls.map((call) => toolSucceeded(call, options.tools?.(call)));
    },
  };
  const { conversation, resumed } = await openTestConversation(
    {
      clock,
      store: state.sessions,
      compileCatalog: async () => catalog,
      ...(options.speechDefaults && { speechDefaults: options.speechDefaults }),
    },
    { streamingMode: mode, sessionId: options.sessionId },
  );
  const common = {
    transport,
    conversation,
    resumed,
    ticker: new PlayoutTicker(clock, silentLogger),
    ...unobserved,
    announcement: options.announcement,
    clock,
    logger: options.logger ?? silentLogger,
    publish: (notice: SessionNotice) => void published.push(notice),
    onEffect: async (effect: HostEffect) => {
      effects.push(effect);
      return await onEffect(effect);
    },
    checkForChanges: options.checkForChanges ?? (async () => undefined),
    listenToPerson: (onFinal: Parameters<ListenToPerson>[0]) => {
      personFinal = onFinal;
      return { write: () => undefined, close: () => undefined };
    },
  };
  const session: LiveSession =
    mode === "MEDIA"
      ? startVoiceSession({
          ...common,
          createListener: testListener({ clock, recogniser, inputRateHz: sampleRateHz, isSpeech: () => hearsSpeech }),
          reply: { model, synthesiser, tools, language: "en-US", wallNow: () => clock.wallNow() },
          turnSettings: options.turnSettings ?? ((...of) => ({ ...testTurnSettings(...of), fillerMs })),
          prepareFallback: ({ name }) => fallbacks.push({ agent: name, clausesBefore: synthesiser.requests.length }),
        })
      : startRealtimeSession({
          ...common,
          model: options.createRealtimeModel?.(clock) ?? realtime,
          tools,
          turn: {
            silenceMs: 500,
            idleMs: 10_000,
            bargeInEnabled: options.bargeInEnabled ?? true,
            deadAirMs: 10_000,
            fillerMs,
            language: "en-US",
          },
          synthesiser,
          retry: testRetry,
          random: () => 0.5,
          ...(options.onLost && { onLost: options.onLost }),
        });
  let end: string | undefined;
  void session.ended.then((reason) => (end = reason));

  /** Time passes and frames come in, as on a live line. */
  async function passes(ms: number): Promise<void> {
    for (let elapsed = 0; elapsed < ms; elapsed += 20) {
      session.onAudio(new Int16Array(sampleRateHz / 50).fill(hearsSpeech ? 4000 : 0));
      await clock.advanceAsync(20, 10);
    }
  }

  /** Sound without words for so long, or silence. */
  async function listen(ms: number, isSpeech = false): Promise<void> {
    hearsSpeech = isSpeech;
    await passes(ms);
    hearsSpeech = false;
  }

  /** The caller says this aloud, for as long as it takes; nothing is a sound without words. */
  async function says(words: string, ms = 800): Promise<void> {
    if (mode === "VOICE_LIVE") realtime.hear(words, ms);
    await listen(ms, true);
    if (mode === "MEDIA") recogniser.last.final(words);
    await passes(600);
  }

  /** The recogniser has understood a person who has taken over. */
  function personSays(text: string, endedMs = clock.now()): void {
    personFinal({ text, startMs: 0, endMs: 500, language: "en-US" }, endedMs);
  }

  /** What the agents have said so far, and how much of it was heard. */
  const said = (): readonly string[] =>
    transport.heard.map(({ agent, text, interrupted }) => `${agent}: ${text}${interrupted ? " …" : ""}`);

  const parts = {
    clock,
    state,
    transport,
    published,
    session,
    conversation,
    model: scripted,
    realtime,
    effects,
    fallbacks,
    recogniser,
    synthesiser,
  };
  await clock.advanceAsync(1);
  return { ...parts, passes, listen, says, personSays, said, end: () => end };
}
