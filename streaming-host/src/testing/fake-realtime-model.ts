/** A realtime model that the test controls, and that records what it was sent. */
import type { VoiceError } from "@voice/shared/platform/errors";
import type {
  RealtimeEvent,
  RealtimeHistoryItem,
  RealtimeListener,
  RealtimeModel,
  RealtimeSession,
  RealtimeSettings,
} from "@voice/provider-kit/ports/realtime-model";

export class FakeRealtimeModel implements RealtimeModel {
  readonly opened: RealtimeSettings[] = [];
  readonly updates: RealtimeSettings[] = [];
  readonly log: string[] = [];
  readonly remembered: RealtimeHistoryItem[] = [];
  readonly refusals: VoiceError[] = [];
  /** The next connections neither open nor fail. */
  hangs = false;
  /** The audio of each message. */
  readonly appended: Int16Array[] = [];
  isClosed = false;
  #listener: RealtimeListener | undefined;

  async open(settings: RealtimeSettings, listener: RealtimeListener): Promise<RealtimeSession> {
    const refusal = this.refusals.shift();
    if (refusal !== undefined) throw refusal;
    if (this.hangs) await new Promise(() => undefined);
    this.opened.push(settings);
    this.#listener = listener;
    const say = (entry: string): void => void this.log.push(entry);
    return {
      update: (changed) => {
        this.updates.push(changed);
        say(`update ${changed.voice.name}`);
      },
      appendAudio: (samples) => {
        this.appended.push(samples.slice());
      },
      commitAudio: () => say("commit"),
      sendText: (text) => say(`text ${text}`),
      remember: (items) => void this.remembered.push(...items),
      sendToolResult: (callId, json) => say(`result ${callId} ${json}`),
      respond: ({ say: words, instructions, toolChoice } = {}) =>
        say(
          ["respond", words ?? instructions ?? [], toolChoice === undefined ? [] : `tool_choice ${toolChoice}`]
            .flat()
            .join(" "),
        ),
      respondIfFree: () => say("respond if free"),
      cancelResponse: () => say("cancel"),
      truncate: (itemId, audioEndMs) => say(`truncate ${itemId} ${audioEndMs}`),
      forgetCaller: () => say("forget caller"),
      close: () => {
        this.isClosed = true;
      },
    };
  }

  get appendedSamples(): number {
    return this.appended.reduce((total, { length }) => total + length, 0);
  }

  emit(...events: readonly RealtimeEvent[]): void {
    for (const event of events) this.#listener?.onEvent(event);
  }

  /** A complete answer of one item: its text, and this many milliseconds of audio at the session's rate. */
  answer(itemId: string, text: string, audioMs: number): void {
    const responseId = `response-${itemId}`;
    const perMs = (this.opened.at(-1)?.sampleRateHz ?? 24_000) / 1000;
    this.emit(
      { type: "response-started", responseId },
      { type: "agent-text", responseId, itemId, delta: text },
      { type: "audio", responseId, itemId, samples: new Int16Array(audioMs * perMs).fill(1000) },
      { type: "agent-text-finished", responseId, itemId, text },
      { type: "audio-finished", responseId, itemId },
      { type: "response-finished", responseId, status: "completed" },
    );
  }

  /** A response that only calls this tool. */
  callTool(name: string): void {
    this.emit(
      { type: "response-started", responseId: "r" },
      { type: "tool-call", responseId: "r", call: { id: "call-1", name, argumentsJson: "{}" } },
      { type: "response-finished", responseId: "r", status: "completed" },
    );
  }

  end(error: VoiceError): void {
    this.#listener?.onEnded(error);
  }
}
