/**
 * A realtime service that keeps to the protocol and answers by rules: each turn of the caller unasked, each request, one response at a time.
 * For words with `pay1` it calls the tool of that name, unless its history has that call. Requests go through the product's own sequence.
 */
import { ResponseSequence } from "@voice/provider-kit/realtime-protocol/response-sequence";
import { NotifiedResponses } from "@voice/provider-kit/realtime-protocol/notified-responses";
import type {
  RealtimeEvent,
  RealtimeListener,
  RealtimeModel,
  RealtimeSession,
  RealtimeSettings,
} from "@voice/provider-kit/ports/realtime-model";
import type { Clock } from "@voice/shared/platform/clock";
import type { VoiceError } from "@voice/shared/platform/errors";

const thinkMs = 200;
const audioMs = 400;
const wireMs = 5;
/** How long the caller speaks. */
const speechMs = 100;

interface ActiveResponse {
  readonly id: string;
  readonly say: string | undefined;
  /** How many of the unanswered words it knows. */
  readonly knows: number;
}

export class ToolCallingRealtimeModel implements RealtimeModel {
  readonly #clock: Clock;
  /** The calls that the listener was told of, but for those of which it has said that they were not run. */
  calls: readonly { readonly id: string; readonly name: string }[] = [];
  /** Words that no response has followed yet on the newest connection, or that were said to nobody. */
  #unanswered: string[] = [];
  /** The calls whose results the newest connection knows. */
  results = new Set<string>();
  #listener: RealtimeListener | undefined;
  #notified: NotifiedResponses | undefined;
  #connection = 0;
  #ids = 0;
  #known = new Set<string>();
  #active: ActiveResponse | undefined;
  /** The caller has said something during a response that goes on. */
  #owesAnswer = false;
  #interrupts = true;
  /** The connection has its history; audio is not sent before. */
  #hears = false;
  #unheard: string[] = [];
  #speech: { readonly itemId: string; readonly words: string[] } | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get called(): readonly string[] {
    return this.calls.map(({ name }) => name);
  }

  get unanswered(): readonly string[] {
    return [...this.#unanswered, ...this.#unheard];
  }

  async open(settings: RealtimeSettings, listener: RealtimeListener): Promise<RealtimeSession> {
    const mine = ++this.#connection;
    this.#listener = listener;
    this.#interrupts = settings.turnDetection.interruptsResponse;
    this.#known = new Set();
    this.results = new Set();
    this.#active = undefined;
    this.#owesAnswer = false;
    this.#hears = false;
    this.#unanswered = [];
    const sequence = new ResponseSequence({
      create: ({ say }) => this.#create(typeof say === "string" ? say : undefined),
      cancel: (responseId) => notified.cancel(responseId),
      plain: () => ({}),
    });
    const notified = new NotifiedResponses(
      sequence,
      (event) => listener.onEvent(event),
      (responseId) => this.#cancel(responseId),
    );
    this.#notified = notified;
    return {
      update: () => undefined,
      appendAudio: () => undefined,
      commitAudio: () => undefined,
      sendText: (text) => void this.#unanswered.push(text),
      remember: (items) => {
        for (const item of items) {
          if (item.role === "tool-call") this.#known.add(item.call.name);
          if (item.role === "tool-result") this.results.add(item.callId);
          if (item.role === "user" && !item.text.startsWith("[")) this.#unanswered.push(item.text);
          // Words that were said over the agent's stand before it in the history, and are not answered by it.
          if (item.role === "assistant")
            this.#unanswered = this.#unanswered.filter((words) => this.#calledFor(words).length > 0);
        }
        // What was not run is not in the history, and this connection knows nothing of it.
        if (!this.#hears) this.calls = this.calls.filter(({ id }) => this.results.has(id));
        this.#listen();
      },
      sendToolResult: (callId, resultJson) => {
        this.results.add(callId);
        if (resultJson.includes('"success":false')) this.#takeBack(callId);
      },
      respond: (how) => {
        sequence.request({ say: how?.say });
        this.#listen();
      },
      respondIfFree: () => sequence.requestIfFree({}),
      cancelResponse: () => void sequence.cancel(),
      truncate: () => undefined,
      forgetCaller: () => undefined,
      close: () => {
        if (mine === this.#connection) this.#listener = undefined;
      },
    };
  }

  /** The caller says this; nothing is a cough. Without a connection that listens, the next one hears it. */
  hear(words: string): void {
    if (this.#listener === undefined || !this.#hears) {
      this.#unheard.push(words);
      return;
    }
    if (this.#speech !== undefined) {
      this.#speech.words.push(words);
      return;
    }
    const itemId = `user-${++this.#ids}`;
    this.#speech = { itemId, words: [words] };
    this.#emit({ type: "speech-started", itemId, atMs: 0 });
    if (this.#interrupts && this.#active !== undefined) this.#cancel(this.#active.id);
    this.#later(speechMs, () => this.#endSpeech());
  }

  end(error: VoiceError): void {
    const listener = this.#listener;
    this.#listener = undefined;
    this.#hears = false;
    this.#connection++;
    this.#unheard.push(...(this.#speech?.words ?? []));
    this.#speech = undefined;
    listener?.onEnded(error);
  }

  #endSpeech(): void {
    const { itemId, words = [] } = this.#speech ?? {};
    this.#speech = undefined;
    if (itemId === undefined) return;
    const text = words.filter((word) => word !== "").join(" ");
    this.#emit({ type: "speech-stopped", itemId, atMs: 0 }, { type: "user-transcript", itemId, text, isFinal: true });
    if (text === "") return;
    this.#unanswered.push(text);
    if (this.#active === undefined) this.#begin(undefined);
    else this.#owesAnswer = true;
  }

  #listen(): void {
    if (this.#hears) return;
    this.#hears = true;
    this.#later(50, () => {
      for (const words of this.#unheard.splice(0)) this.hear(words);
    });
  }

  #emit(...events: readonly RealtimeEvent[]): void {
    this.#later(wireMs, () => {
      for (const event of events) this.#tell(event);
    });
  }

  /** It was not run, so the next answer calls it again. */
  #takeBack(callId: string): void {
    for (const { id, name } of this.calls) {
      if (id !== callId) continue;
      this.#known.delete(name);
      if (!this.#unanswered.some((words) => words.split(" ").includes(name))) this.#unanswered.unshift(name);
    }
    this.calls = this.calls.filter(({ id }) => id !== callId);
  }

  /** As the product's session does. */
  #tell(event: RealtimeEvent): void {
    const notified = this.#notified;
    if (event.type === "response-started") notified?.begin(event.responseId);
    else if (event.type === "response-finished") notified?.finish(event);
    else {
      if ("responseId" in event) {
        notified?.beginIfNew(event.responseId);
        if (notified?.isForListener(event.responseId) === false) return;
      }
      if (event.type === "speech-started") notified?.speechStarted();
      if (event.type === "tool-call") {
        this.#known.add(event.call.name);
        this.calls = [...this.calls, event.call];
      }
      this.#listener?.onEvent(event);
    }
  }

  #create(say: string | undefined): void {
    if (this.#active === undefined) this.#begin(say);
    else this.#later(wireMs, () => this.#notified?.refusedAsBusy());
  }

  #cancel(responseId: string): void {
    if (this.#active?.id === responseId) this.#end("cancelled");
  }

  #end(status: "cancelled" | "completed"): void {
    if (this.#active === undefined) return;
    this.#emit({ type: "response-finished", responseId: this.#active.id, status });
    this.#active = undefined;
    if (this.#owesAnswer) this.#begin(undefined);
  }

  #later(ms: number, what: () => void): void {
    const mine = this.#connection;
    this.#clock.setTimer(ms, () => {
      if (mine === this.#connection) what();
    });
  }

  #begin(say: string | undefined): void {
    const active = { id: `response-${++this.#ids}`, say, knows: this.#unanswered.length };
    this.#active = active;
    if (say === undefined) this.#owesAnswer = false;
    this.#emit({ type: "response-started", responseId: active.id });
    this.#later(thinkMs, () => {
      if (this.#active === active) this.#finish(active);
    });
  }

  #calledFor(words: string): readonly string[] {
    return words.split(" ").filter((word) => word.startsWith("pay") && !this.#known.has(word));
  }

  #finish({ id: responseId, say, knows }: ActiveResponse): void {
    const wanted = this.#unanswered.slice(0, knows).flatMap((words) => this.#calledFor(words));
    if (say === undefined && wanted.length > 0) {
      for (const name of wanted)
        this.#emit({ type: "tool-call", responseId, call: { id: `call-${++this.#ids}`, name, argumentsJson: "{}" } });
    } else {
      if (say === undefined) this.#unanswered = this.#unanswered.slice(knows);
      const itemId = `agent-${++this.#ids}`;
      const text = say ?? "Certainly.";
      this.#emit(
        { type: "agent-text", responseId, itemId, delta: text },
        { type: "audio", responseId, itemId, samples: new Int16Array(audioMs * 24).fill(1000) },
        { type: "agent-text-finished", responseId, itemId, text },
        { type: "audio-finished", responseId, itemId },
      );
    }
    this.#end("completed");
  }
}
