/**
 * A service on emulated cloud services that fail on demand. Behind the emulators is a script instead of engines, so that
 * many such services run side by side.
 */
import { silentLogger } from "@voice/shared/platform/logger";
import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import type { State } from "@voice/shared/state/ports/state";
import { emulatedSettings } from "@voice/local/emulators/emulated-settings";
import { startOpenAiEmulator } from "@voice/local/emulators/openai/emulator";
import type { OpenAiEmulator } from "@voice/local/emulators/openai/emulator";
import { createScriptedRecogniser } from "@voice/local/emulators/scripted-recogniser";
import { startSpeechEmulator } from "@voice/local/emulators/speech/emulator";
import type { SpeechEmulator } from "@voice/local/emulators/speech/emulator";
import { createToneSynthesiser } from "@voice/local/emulators/tone-synthesiser";
import { startVoiceLiveEmulator } from "@voice/local/emulators/voice-live/emulator";
import type { VoiceLiveEmulator } from "@voice/local/emulators/voice-live/emulator";
import { connectCaller } from "../../local/caller/caller.ts";
import type { Caller } from "../../local/caller/caller.ts";
import { noFillers } from "./no-fillers.ts";
import { startTestHost } from "./test-host.ts";
import { testClock as clock } from "./test-clock.ts";
import { eventually, longestWaitMs } from "./wait.ts";

export const words = "where is my order please";
export const answer = "It is on its way.";
const key = "emulated-key";
/** Expected events arrive within seconds; this only ends what hangs. */
const limitMs = longestWaitMs;

export interface FaultRig {
  readonly speech: SpeechEmulator;
  readonly openai: OpenAiEmulator;
  readonly voiceLive: VoiceLiveEmulator;
  readonly state: State;
  /** Connects, and waits for the greeting to become audible. */
  greet(): Promise<void>;
  connect(): Promise<void>;
  speak(line: Int16Array): Promise<void>;
  type(text: string): void;
  /** Resolves when the agent has said such a sentence and it was heard to its end. */
  hears(sentence: RegExp): Promise<void>;
  /** Every sentence of the agent as far as it was heard. */
  readonly heard: readonly string[];
  readonly errorCodes: readonly string[];
  readonly caller: Caller;
  /** Resolves with the reason why the service ended the conversation. */
  ended(): Promise<string>;
  /** What is stored of the conversation, as `role: words`. */
  stored(): Promise<readonly string[]>;
  close(): Promise<void>;
}

export interface FaultRigOptions {
  readonly streamingMode: "REALTIME" | "VOICE_LIVE";
  readonly environment?: Readonly<Record<string, string>>;
  /** Voices that the speech service knows; any, where absent. */
  readonly voices?: ReadonlySet<string>;
}

export async function startFaultRig(options: FaultRigOptions): Promise<FaultRig> {
  const { streamingMode, voices } = options;
  const recogniser = createScriptedRecogniser();
  recogniser.script(...Array.from({ length: 20 }, () => words));
  const synthesiser = createToneSynthesiser();
  const respond = () => ({ kind: "completion" as const, text: answer });
  const [speech, openai, voiceLive] = await Promise.all([
    startSpeechEmulator({ recogniser, synthesiser, key, clock, ...(voices !== undefined && { voices }) }),
    startOpenAiEmulator({ respond, key, clock }),
    startVoiceLiveEmulator({ recogniser, synthesiser, respond, key, clock }),
  ]);
  const state = createMemoryState({ clock, logger: silentLogger });
  const host = await startTestHost({
    state,
    providers: "settings",
    clock,
    settings: {
      ...emulatedSettings({ openai, speech, voiceLive }, key),
      ...noFillers,
      RETRY_MAX_ATTEMPTS: "1",
      RETRY_JITTER: "false",
      SPEECH_REQUEST_TIMEOUT: "10",
      VAD_TIMEOUT_MS: "10000",
      // Tests must know which conversation's connection fails, so none is opened ahead of time.
      MAX_STT_POOL_SIZE: "0",
      MAX_TTS_POOL_SIZE: "0",
      ...options.environment,
    },
  });
  let caller: Caller | undefined;

  function connected(): Caller {
    if (caller === undefined) throw new Error("nobody has called yet");
    return caller;
  }

  async function connect(): Promise<void> {
    const url = new URL(host.url(`/api/v1/browser/conversation?streaming_mode=${streamingMode}`));
    caller = await connectCaller({ url, clock });
  }

  const messages = () => connected().records.flatMap((record) => (record.kind === "message" ? [record.message] : []));

  const rig: FaultRig = {
    speech,
    openai,
    voiceLive,
    state,
    connect,
    async greet() {
      await connect();
      await connected().waitForAgentAudio(limitMs);
    },
    async speak(line) {
      await connected().speak(line);
    },
    type: (text) => connected().type(text),
    hears: (sentence) =>
      eventually(
        () => rig.heard.some((text) => sentence.test(text)),
        () => `the agent says ${sentence}; it said ${JSON.stringify(rig.heard)} (${rig.errorCodes.join(", ")})`,
        limitMs,
      ),
    get heard() {
      return messages().flatMap((message) =>
        message.type === "response" && message.payload.is_final ? [message.payload.text] : [],
      );
    },
    get errorCodes() {
      return messages().flatMap((message) => (message.type === "error" ? [message.payload.code] : []));
    },
    get caller() {
      return connected();
    },
    async ended() {
      const reasons = () =>
        messages().flatMap((message) =>
          message.type === "event" && message.payload.name === "session_ended" ? [message.payload.reason] : [],
        );
      await eventually(() => reasons().length > 0, "the conversation ends", limitMs);
      return reasons()[0] ?? "";
    },
    async stored() {
      const history = await state.sessions.history(connected().session.session_id);
      return history
        .filter(({ role, content }) => role !== "tool" && content !== "")
        .map(({ role, content, interrupted }) => `${role}${interrupted ? " (interrupted)" : ""}: ${content}`);
    },
    async close() {
      caller?.close();
      await host.close();
      await Promise.all([speech.close(), openai.close(), voiceLive.close()]);
      await state.close();
    },
  };
  return rig;
}
