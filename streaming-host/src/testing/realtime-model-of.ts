/**
 * A realtime service that does what the vendors define, and says what a language model writes: so the same script or rules can be
 * behind a session in every mode. It answers each turn of the caller unasked, makes one response at a time, speaks fixed words as they
 * are, gives the model the items of its conversation and nothing else, and forgets of a truncated item what was not heard
 * (`@azure/ai-voicelive` 1.1, models.d.ts; `openai` 7.59, resources/realtime/realtime.d.ts). Requests go through the product's own sequence.
 */
import type { ToolCall } from "@voice/shared/tools/tool-call";
import type { LanguageModel, ModelMessage } from "@voice/provider-kit/ports/language-model";
import type {
  RealtimeEvent,
  RealtimeListener,
  RealtimeModel,
  RealtimeSession,
  RealtimeSettings,
  ResponseRequest,
} from "@voice/provider-kit/ports/realtime-model";
import { ResponseSequence } from "@voice/provider-kit/realtime-protocol/response-sequence";
import { NotifiedResponses } from "@voice/provider-kit/realtime-protocol/notified-responses";
import type { Clock } from "@voice/shared/platform/clock";
import { toVoiceError } from "@voice/shared/platform/errors";
import type { VoiceError } from "@voice/shared/platform/errors";
import { msPerCharacter } from "./fake-synthesiser.ts";
import { callsIn, markAnswered, RealtimeItems } from "./realtime-items.ts";

const wireMs = 5;
/** One that is called off before is none that its model was asked for. */
const thinkMs = 100;

interface Active {
  readonly id: string;
  readonly abort: AbortController;
}

type Response = {
  status: "completed" | "incomplete" | "failed" | "cancelled";
  cut?: "length" | "content_filter";
  error?: VoiceError;
};

export class RealtimeModelOf implements RealtimeModel {
  /** The settings of each connection, as they are in force. */
  readonly connections: RealtimeSettings[] = [];
  readonly #clock: Clock;
  readonly #model: LanguageModel;
  #connection: Connection | undefined;

  constructor(clock: Clock, model: LanguageModel) {
    this.#clock = clock;
    this.#model = model;
  }

  async open(settings: RealtimeSettings, listener: RealtimeListener): Promise<RealtimeSession> {
    const at = this.connections.push(settings) - 1;
    // The product sends a new connection again what the one before had not transcribed.
    const unheard = this.#connection?.speech;
    const connection = new Connection(this.#clock, this.#model, settings, listener, unheard, (changed) => {
      this.connections[at] = changed;
    });
    this.#connection = connection;
    return connection.session;
  }

  /** The caller says this for so long; nothing is a sound without words. Without a connection that listens, the next one hears it. */
  hear(words: string, ms: number): void {
    this.#connection?.hear(words, ms);
  }

  /** What the caller said and the newest connection has not answered. */
  get unanswered(): readonly string[] {
    return this.#connection?.unanswered ?? [];
  }

  /** The calls that the newest connection knows, with their results, if it knows them. */
  get calls(): readonly { readonly call: ToolCall; readonly result: string | undefined }[] {
    return callsIn(this.#connection?.messages ?? []);
  }

  end(error: VoiceError): void {
    this.#connection?.end(error);
  }
}

class Connection {
  readonly session: RealtimeSession;
  /** What the caller is saying. */
  speech: { readonly words: string; readonly ms: number } | undefined;
  readonly #clock: Clock;
  readonly #model: LanguageModel;
  readonly #notified: NotifiedResponses;
  #settings: RealtimeSettings;
  #listener: RealtimeListener | undefined;
  readonly #items = new RealtimeItems();
  /** Audio is sent once the connection has its history. */
  #listens = false;
  #active: Active | undefined;
  #owesAnswer = false;
  #ids = 0;
  #appendedMs = 0;

  constructor(
    clock: Clock,
    model: LanguageModel,
    settings: RealtimeSettings,
    listener: RealtimeListener,
    unheard: Connection["speech"],
    onUpdated: (settings: RealtimeSettings) => void,
  ) {
    this.speech = unheard;
    this.#clock = clock;
    this.#model = model;
    this.#settings = settings;
    this.#listener = listener;
    const sequence = new ResponseSequence({
      create: (request) => this.#create(readRequest(request)),
      cancel: (responseId) => this.#notified.cancel(responseId),
      plain: () => ({}),
    });
    this.#notified = new NotifiedResponses(
      sequence,
      (event) => this.#listener?.onEvent(event),
      (responseId) => this.#cancel(responseId),
    );
    this.session = {
      update: (changed) => {
        this.#settings = changed;
        onUpdated(changed);
      },
      appendAudio: (samples) => {
        this.#appendedMs += (samples.length * 1000) / this.#settings.sampleRateHz;
        this.#listen();
      },
      commitAudio: () => undefined,
      sendText: (text) => this.#items.add({ role: "user", content: text }, { isNew: true }),
      remember: (items) => {
        for (const item of items) this.#items.remember(item);
        this.#listen();
      },
      sendToolResult: (callId, resultJson) => this.#items.remember({ role: "tool-result", callId, resultJson }),
      respond: (how = {}) => {
        sequence.request({ ...how });
        this.#listen();
      },
      respondIfFree: () => sequence.requestIfFree({}),
      cancelResponse: () => void sequence.cancel(),
      truncate: (itemId, _ms, heard) => this.#items.truncate(itemId, heard),
      forgetCaller: () => this.#items.forgetCaller(),
      close: () => {
        this.#listener = undefined;
        this.#active?.abort.abort();
      },
    };
  }

  get messages(): readonly ModelMessage[] {
    return this.#items.all.map(({ message }) => message);
  }

  get unanswered(): readonly string[] {
    return [...this.#items.unanswered, ...(this.speech === undefined ? [] : [this.speech.words])];
  }

  /** More that is said in the same breath belongs to the same words. */
  hear(words: string, ms: number): void {
    const isSpeaking = this.speech !== undefined;
    this.speech = { words: [this.speech?.words ?? [], words].flat().join(" ").trim(), ms };
    if (this.#listens && !isSpeaking) this.#beginSpeech(ms);
  }

  end(error: VoiceError): void {
    const listener = this.#listener;
    this.#listener = undefined;
    this.#active?.abort.abort();
    listener?.onEnded(error);
  }

  #listen(): void {
    if (this.#listens) return;
    this.#listens = true;
    this.#later(() => {
      if (this.speech !== undefined) this.#beginSpeech(this.speech.ms);
    });
  }

  #beginSpeech(ms: number): void {
    const itemId = `caller-${++this.#ids}`;
    this.#emit({ type: "speech-started", itemId, atMs: this.#appendedMs });
    if (this.#settings.turnDetection.interruptsResponse && this.#active !== undefined) this.#cancel(this.#active.id);
    this.#clock.setTimer(ms, () => {
      this.#emit({ type: "speech-stopped", itemId, atMs: this.#appendedMs });
      // Until the product has the words, another connection has to hear them.
      this.#later(() => {
        const { words = "" } = this.speech ?? {};
        this.speech = undefined;
        this.#tell({ type: "user-transcript", itemId, text: words, isFinal: true });
        if (words === "") return;
        this.#items.add({ role: "user", content: words }, { isNew: true });
        if (this.#active === undefined) this.#begin({});
        else this.#owesAnswer = true;
      });
    });
  }

  #create(request: ResponseRequest): void {
    if (this.#active === undefined) this.#begin(request);
    else this.#later(() => this.#notified.refusedAsBusy());
  }

  #begin(request: ResponseRequest): void {
    const active = { id: `response-${++this.#ids}`, abort: new AbortController() };
    this.#active = active;
    this.#owesAnswer = false;
    this.#emit({ type: "response-started", responseId: active.id });
    void this.#answer(active, request)
      .catch((error: unknown): Response => ({ status: "failed", error: toVoiceError(error) }))
      .then((end) => this.#finish(active, end));
  }

  async #answer(
    { id: responseId, abort }: Active,
    { say, instructions, toolChoice }: ResponseRequest,
  ): Promise<Response> {
    if (say !== undefined) {
      await Promise.resolve();
      this.#speak(responseId, say);
      return { status: "completed" };
    }
    const { tools, instructions: prompt } = this.#settings;
    const system: ModelMessage = { role: "system", content: [prompt, instructions ?? []].flat().join("\n\n") };
    const known = this.#items.all;
    await new Promise<void>((resolve) => void this.#clock.setTimer(thinkMs, resolve));
    if (abort.signal.aborted) return { status: "cancelled" };
    const messages = [system, ...known.map(({ message }) => message)];
    const request = { agent: { name: "", templateVars: {} }, messages, tools, memory: {}, toolChoice };
    let text = "";
    const calls: ToolCall[] = [];
    let reason = "stop";
    for await (const event of this.#model.stream(
      { ...request, settings: { deploymentId: "realtime" } },
      abort.signal,
    )) {
      if (event.type === "text-delta") text += event.text;
      else if (event.type === "tool-call") calls.push(event.call);
      else ({ reason } = event);
    }
    if (abort.signal.aborted) return { status: "cancelled" };
    if (text.trim() !== "") this.#speak(responseId, text.trim());
    for (const call of calls) this.#emit({ type: "tool-call", responseId, call });
    if (reason === "length") return { status: "incomplete", cut: "length" };
    if (reason === "content-filter") return { status: "incomplete", cut: "content_filter" };
    for (const item of known) item.isNew = false;
    if (calls.length === 0) markAnswered(known);
    return { status: "completed" };
  }

  #speak(responseId: string, text: string): void {
    const itemId = this.#items.add({ role: "assistant", content: text });
    const perCharacter = (this.#settings.sampleRateHz * msPerCharacter) / 1000;
    const samples = new Int16Array(text.length * perCharacter).fill(1000);
    this.#emit(
      { type: "agent-text", responseId, itemId, delta: text },
      ...Array.from(text.matchAll(/\S+/g), (word): RealtimeEvent => {
        const at = { startMs: word.index * msPerCharacter, endMs: (word.index + word[0].length) * msPerCharacter };
        return { type: "word", itemId, text: word[0], ...at };
      }),
      { type: "audio", responseId, itemId, samples },
      { type: "agent-text-finished", responseId, itemId, text },
      { type: "audio-finished", responseId, itemId },
    );
  }

  #cancel(responseId: string): void {
    const active = this.#active;
    if (active?.id !== responseId) return;
    active.abort.abort();
    this.#finish(active, { status: "cancelled" });
  }

  #finish(active: Active, end: Response): void {
    if (this.#active !== active) return;
    this.#active = undefined;
    this.#emit({ type: "response-finished", responseId: active.id, ...end });
    if (this.#owesAnswer) this.#later(() => this.#active === undefined && this.#begin({}));
  }

  #emit(...events: readonly RealtimeEvent[]): void {
    this.#later(() => {
      for (const event of events) this.#tell(event);
    });
  }

  /** Reports an event to the listener, as the product's session does. */
  #tell(event: RealtimeEvent): void {
    if (event.type === "response-started") this.#notified.begin(event.responseId);
    else if (event.type === "response-finished") this.#notified.finish(event);
    else {
      if ("responseId" in event) {
        this.#notified.beginIfNew(event.responseId);
        if (!this.#notified.isForListener(event.responseId)) return;
      }
      if (event.type === "speech-started") this.#notified.speechStarted();
      // What nobody was told of has not been called.
      if (event.type === "tool-call") this.#items.add({ role: "assistant", content: "", toolCalls: [event.call] });
      this.#listener?.onEvent(event);
    }
  }

  #later(what: () => void): void {
    this.#clock.setTimer(wireMs, () => {
      if (this.#listener !== undefined) what();
    });
  }
}

/** The sequence passes on whatever a service's dialect has made of a request. */
function readRequest({ say, instructions, toolChoice }: Readonly<Record<string, unknown>>): ResponseRequest {
  return {
    ...(typeof say === "string" && { say }),
    ...(typeof instructions === "string" && { instructions }),
    ...(toolChoice === "none" && { toolChoice }),
  };
}
