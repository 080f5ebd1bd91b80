/**
 * A simulated caller: speaks into the browser socket at the pace of a microphone, listens to the end of each answer and records what was
 * said on both sides. Used by the command line, the end-to-end tests and the simulated phone.
 */
import type { BrowserInput } from "@voice/shared/contracts/stream/browser-input";
import { parseServerMessage } from "@voice/shared/contracts/stream/parse-server-message";
import type { ServerMessage, ServerPayloads } from "@voice/shared/contracts/stream/server-message";
import { VoiceError } from "@voice/shared/platform/errors";
import { systemClock } from "@voice/shared/platform/clock";
import type { Clock } from "@voice/shared/platform/clock";

import { bytesFromSamples, samplesFromBase64, samplesFromBytes } from "@voice/provider-kit/audio/pcm16";

import type { CallerSocket, OpenCallerSocket } from "./caller-socket.ts";
import { firstAudibleSample } from "../person/audible.ts";
import { ConditionWaiters } from "../person/condition-waiters.ts";
import { ConversationRecording } from "../person/conversation-recording.ts";
import { openWebSocket } from "./open-websocket.ts";
import { PacedMicrophone } from "../person/paced-microphone.ts";
import type { SpokenLine } from "../person/paced-microphone.ts";
import { hasAnswer, latestState, readReply } from "../person/reply.ts";
import type { CallRecord, Reply } from "../person/reply.ts";

/** The service introduces itself with a `session` message; a peer that does not is not the service. */
const sessionTimeoutMs = 5000;
const replyTimeoutMs = 20_000;
/** Longer than the pause between two clauses or around a handoff, and short enough not to hold up the conversation. */
const defaultQuietMs = 600;

export interface CallerOptions {
  readonly url: URL;
  readonly scenario?: string | undefined;
  readonly agent?: string | undefined;
  readonly onMessage?: (message: ServerMessage, atMs: number) => void;
  /** Aborting hangs up. */
  readonly signal?: AbortSignal;
  readonly clock?: Clock;
  /** The noise of the caller's room. */
  readonly background?: ((at: number) => number) | undefined;
  readonly openSocket?: OpenCallerSocket;
}

export interface WaitOptions {
  /** The longest wait for the start of the answer, and the longest gap within it. */
  readonly timeoutMs?: number;
  /** How long there has to be silence after the answer before it counts as complete. */
  readonly quietMs?: number;
  /** What counts as an answer; by default an interrupted one does, too. */
  readonly isAnswer?: (reply: Reply) => boolean;
}

export async function connectCaller(options: CallerOptions): Promise<Caller> {
  const caller = new Caller(options);
  await caller.connect();
  return caller;
}

export class Caller {
  readonly #options: CallerOptions;
  readonly #clock: Clock;
  readonly #records: CallRecord[] = [];
  readonly #waiters: ConditionWaiters;
  readonly #closing = new AbortController();
  #socket: CallerSocket | undefined;
  #session: ServerPayloads["session"] | undefined;
  #microphone: PacedMicrophone | undefined;
  #recording: ConversationRecording | undefined;
  /** The end of the caller's last words, spoken or typed; the greeting counts from the connection. */
  #silentSinceMs: number;
  #lastActivityMs: number;

  constructor(options: CallerOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#waiters = new ConditionWaiters(this.#clock);
    this.#silentSinceMs = this.#clock.now();
    this.#lastActivityMs = this.#silentSinceMs;
  }

  /** Opens the socket, agrees on the session and starts the microphone. */
  async connect(): Promise<void> {
    const { signal, openSocket = openWebSocket } = this.#options;
    const url = withChoices(this.#options);
    signal?.addEventListener("abort", () => this.close(), { once: true, signal: this.#closing.signal });
    const signals = [this.#closing.signal, ...(signal === undefined ? [] : [signal])];
    this.#socket = await openSocket(
      url,
      {
        onText: (text) => this.#receiveText(text),
        onAudio: (bytes) => this.#receiveAudio(samplesFromBytes(bytes)),
        onClose: (code, reason) => this.#fail(closeError(code, reason)),
      },
      AbortSignal.any(signals),
    );
    this.#send({ type: "config", audio_output: "binary" });
    const stopWaiting = this.#clock.setTimer(sessionTimeoutMs, () => {
      this.#fail(new VoiceError("upstream_timeout", `${url.host} accepted the connection but opened no session`));
    });
    try {
      await this.#waiters.until(() => this.#session !== undefined);
    } catch (error) {
      this.close();
      throw error;
    } finally {
      stopWaiting();
    }
  }

  /** The session as the service last described it. */
  get session(): ServerPayloads["session"] {
    if (this.#session === undefined) throw new VoiceError("internal_error", "the caller is not connected");
    return this.#session;
  }

  get recording(): ConversationRecording {
    if (this.#recording === undefined) throw new VoiceError("internal_error", "the caller is not connected");
    return this.#recording;
  }

  get records(): readonly CallRecord[] {
    return this.#records;
  }

  /** Speaks PCM16 mono at the session's rate; resolves when the last sample has left. */
  async speak(samples: Int16Array): Promise<SpokenLine> {
    this.#waiters.throwIfFailed();
    if (this.#microphone === undefined) throw new VoiceError("internal_error", "the caller is not connected");
    const line = await this.#microphone.speak(samples);
    this.#silentSinceMs = line.stoppedMs;
    return line;
  }

  type(text: string): void {
    this.#waiters.throwIfFailed();
    this.#silentSinceMs = this.#clock.now();
    this.#send({ type: "text", text });
  }

  /** Presses keys of the phone. */
  press(digits: string): void {
    this.#waiters.throwIfFailed();
    this.#silentSinceMs = this.#clock.now();
    this.#send({ type: "dtmf", digits });
  }

  /** Stops the conversation for a while, and continues it. */
  control(action: "pause" | "start"): void {
    this.#waiters.throwIfFailed();
    this.#silentSinceMs = this.#clock.now();
    this.#send({ type: "control", action });
  }

  /** Treats everything that arrives from now on as an answer, although the caller said nothing. */
  expectAnswer(): void {
    this.#waiters.throwIfFailed();
    this.#silentSinceMs = this.#clock.now();
  }

  /** Resolves when the agent has answered the last words and has fallen silent. */
  async waitForReply(options: WaitOptions = {}): Promise<Reply> {
    const { timeoutMs = replyTimeoutMs, quietMs = defaultQuietMs, isAnswer = hasAnswer } = options;
    const sinceMs = this.#silentSinceMs;
    await this.#waitFor("no answer", timeoutMs, (nowMs) => {
      const reply = readReply(this.#records, sinceMs);
      if (reply.ended !== undefined) return true;
      return isAnswer(reply) && !this.#agentIsBusy(nowMs) && nowMs - this.#lastActivityMs >= quietMs;
    });
    return readReply(this.#records, sinceMs);
  }

  /** Resolves at the first audio of the answer, for a caller who is about to interrupt. */
  async waitForAgentAudio(timeoutMs = replyTimeoutMs): Promise<void> {
    const sinceMs = this.#silentSinceMs;
    await this.#waitFor("no audio", timeoutMs, () => readReply(this.#records, sinceMs).firstAudioMs !== undefined);
  }

  /** Goes on sending silence for a while. */
  async pause(durationMs: number): Promise<void> {
    const endMs = this.#clock.now() + durationMs;
    await this.#waiters.until((nowMs) => nowMs >= endMs);
  }

  close(): void {
    if (this.#closing.signal.aborted) return;
    this.#closing.abort();
    this.#microphone?.stop();
    this.#socket?.close();
    this.#fail(new VoiceError("session_expired", "the caller has hung up"));
  }

  [Symbol.dispose](): void {
    this.close();
  }

  #startMicrophone(sampleRateHz: number): void {
    const recording = new ConversationRecording(sampleRateHz, this.#clock.now());
    const onFrame = (frame: Int16Array): void => {
      recording.addCaller(frame);
      this.#socket?.send(bytesFromSamples(frame));
      this.#waiters.settle();
    };
    this.#recording = recording;
    this.#microphone = new PacedMicrophone({
      clock: this.#clock,
      sampleRateHz,
      onFrame,
      background: this.#options.background,
    });
    this.#microphone.start();
  }

  #receiveText(text: string): void {
    const message = parseServerMessage(text);
    if (message === undefined) return;
    const nowMs = this.#clock.now();
    if (message.type === "audio") {
      this.#receiveAudio(samplesFromBase64(message.payload.data));
      return;
    }
    if (message.type !== "audio_levels") this.#lastActivityMs = nowMs;
    if (message.type === "session") {
      this.#session = message.payload;
      // At once: a greeting whose audio is already cached arrives in the same read, and has to be in the recording.
      if (this.#microphone === undefined) this.#startMicrophone(message.payload.sample_rate);
    }
    if (message.type === "event" && message.payload.name === "barge_in") this.#recording?.dropUnplayed(nowMs);
    this.#records.push({ kind: "message", atMs: nowMs, message });
    this.#options.onMessage?.(message, nowMs);
    this.#waiters.settle();
  }

  #receiveAudio(samples: Int16Array): void {
    const nowMs = this.#clock.now();
    this.#lastActivityMs = nowMs;
    this.#recording?.addAgent(samples, nowMs);
    const audibleFrom = firstAudibleSample(samples);
    this.#records.push({ kind: "audio", atMs: nowMs, samples: samples.length, audibleFrom });
    this.#waiters.settle();
  }

  #agentIsBusy(nowMs: number): boolean {
    const state = latestState(this.#records);
    return state === "thinking" || state === "speaking" || this.recording.unplayedMs(nowMs) > 0;
  }

  /** Waits for a condition; gives up once nothing at all has happened for `timeoutMs`. */
  async #waitFor(lack: string, timeoutMs: number, isOver: (nowMs: number) => boolean): Promise<void> {
    const fromMs = this.#clock.now();
    let timedOut = false;
    await this.#waiters.until((nowMs) => {
      timedOut = nowMs - Math.max(fromMs, this.#lastActivityMs) > timeoutMs;
      return timedOut || isOver(nowMs);
    });
    if (timedOut) throw new VoiceError("upstream_timeout", `${lack} within ${timeoutMs} ms`);
  }

  #fail(error: VoiceError): void {
    this.#waiters.fail(error);
    this.#microphone?.stop();
  }

  #send(input: BrowserInput): void {
    this.#socket?.send(JSON.stringify(input));
  }
}

/** In the address rather than in `config`, because the session would otherwise start twice. */
function withChoices({ url, scenario, agent }: CallerOptions): URL {
  const chosen = new URL(url);
  if (scenario !== undefined) chosen.searchParams.set("scenario", scenario);
  if (agent !== undefined) chosen.searchParams.set("agent", agent);
  return chosen;
}

function closeError(code: number, reason: string): VoiceError {
  const why = reason === "" ? "" : `: ${reason}`;
  return new VoiceError("upstream_unavailable", `the service closed the connection (${code}${why})`);
}
