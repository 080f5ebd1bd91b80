/**
 * Manages an open session's settings on the wire: sends them, changed where they are rejected, until the service accepts them, and knows
 * how the accepted ones affect what the service reports about the caller.
 */
import { isPlainObject } from "@voice/shared/platform/plain-object";
import type { Logger } from "@voice/shared/platform/logger";
import type { RealtimeDialect } from "./dialect.ts";
import type { WireObject } from "./wire-object.ts";
import type { ParsedEvent, TurnTimes } from "./parsed-event.ts";
import { Recent } from "./recent.ts";
import { updateIdStart } from "./server-errors.ts";
import { at, SettingsNegotiation } from "./session-settings.ts";
import type { SettingsRepair } from "./session-settings.ts";

/** `repaired`: other settings were sent instead. `foreign`: the rejection is not about the newest settings. */
export type RefusalOutcome = "repaired" | "hopeless" | "foreign";

type TranscriptEvent = Extract<
  ParsedEvent,
  { type: "user-transcript" | "user-transcript-delta" | "user-transcript-finished" | "user-transcript-failed" }
>;
type SpeechEvent = Extract<ParsedEvent, { type: "speech-started" | "speech-stopped" }>;

export class SettingsExchange {
  readonly #dialect: RealtimeDialect;
  readonly #logger: Logger;
  readonly #send: (event: WireObject) => void;
  readonly #onRepaired: (repair: SettingsRepair) => void;
  /**
   * Set while the service has not accepted the settings; cleared afterwards, because prompt and tools take some kilobytes for each session.
   */
  #negotiation: SettingsNegotiation | undefined;
  /** The id of the newest settings message. */
  #updateId = "";
  #updates = 0;
  /** Settings messages that the service has neither accepted nor rejected. */
  #unanswered = 0;
  /** Derived from the settings that are in force. */
  #times: TurnTimes = { prefixMs: undefined, silenceMs: undefined };
  #transcription: WireObject | undefined;
  /** How the caller's items are transcribed, by item id: a failure may be reported after later settings are in force. */
  readonly #transcribedWith = new Recent<WireObject>();

  /** What was logged. */
  readonly #warnings = new Recent<true>();

  constructor(
    dialect: RealtimeDialect,
    logger: Logger,
    send: (event: WireObject) => void,
    onRepaired: (repair: SettingsRepair) => void,
  ) {
    this.#dialect = dialect;
    this.#logger = logger;
    this.#send = send;
    this.#onRepaired = onRepaired;
  }

  /** The caller has said something, which is transcribed with the current settings. False if it is not transcribed. */
  transcribes(itemId: string): boolean {
    if (this.#transcription !== undefined) this.#transcribedWith.set(itemId, this.#transcription);
    return this.#transcription !== undefined;
  }

  /** `begun`: a negotiation during which another connection was closed. */
  begin(session: WireObject, begun?: SettingsNegotiation): void {
    this.#negotiation = begun ?? new SettingsNegotiation(this.#dialect.learnt, session);
    this.#sendNext(this.#negotiation);
  }

  /** Defined while the service has not accepted the settings. */
  get negotiation(): SettingsNegotiation | undefined {
    return this.#negotiation;
  }

  isNewest(updateId: string): boolean {
    return updateId === this.#updateId;
  }

  /** Returns true once the service has accepted the newest settings. */
  takeUpdated({ turnDetection }: Extract<ParsedEvent, { type: "session-updated" }>): boolean {
    this.#unanswered = Math.max(0, this.#unanswered - 1);
    if (this.#unanswered > 0) return false;
    const negotiation = this.#negotiation;
    if (negotiation === undefined) return true;
    if (!negotiation.accepted()) {
      this.#sendNext(negotiation);
      return false;
    }
    const { parts, turnTimes } = this.#dialect;
    const sent = negotiation.toSend;
    this.#times = turnTimes(objectAt(sent, parts.turnDetection), turnDetection);
    this.#transcription = objectAt(sent, parts.transcription);
    this.#negotiation = undefined;
    for (const repair of negotiation.repairs) this.#report(repair);
    return true;
  }

  /**
   * A rejection that does not say what it is about is assumed to be about the settings until the service has responded to them: if it was
   * about something else, all parts are accepted in the end. `isOpening`: nothing except settings was sent so far.
   */
  takeRefused(
    { refusal, updateId }: Extract<ParsedEvent, { type: "refused" }>,
    { isOpening }: { readonly isOpening: boolean },
  ): RefusalOutcome {
    const negotiation = this.#negotiation;
    if (negotiation === undefined) return "foreign";
    if (updateId !== undefined && updateId !== this.#updateId) {
      this.#unanswered = Math.max(0, this.#unanswered - 1);
      return "foreign";
    }
    const namesOther = refusal.param !== undefined && negotiation.partOf(refusal) === undefined;
    if (updateId === undefined && !isOpening && namesOther) return "foreign";
    this.#unanswered = 0;
    const canGoOn = negotiation.refused(refusal);
    // Nothing is learnt here: this session cannot change its voice, for example, but one that is opened anew can.
    if (!canGoOn || (!isOpening && negotiation.repairs.some(({ part }) => this.#isOfVoice(part)))) return "hopeless";
    this.#sendNext(negotiation);
    return "repaired";
  }

  /** Adds the model that transcribed it, on which its price depends (RT-44). */
  withModel<Event extends TranscriptEvent>(event: Event): Event {
    const model = this.#transcribedWith.get(event.itemId)?.["model"];
    if (event.type !== "user-transcript-finished" || event.usage === undefined || typeof model !== "string")
      return event;
    return { ...event, usage: { ...event.usage, model } };
  }

  /** Corrects the position to that of the words (RT-3). */
  place(event: SpeechEvent): SpeechEvent {
    const { prefixMs = 0, silenceMs } = this.#times;
    // At the beginning of the audio there may be less than the full padding, and the service does not say how much.
    if (event.type === "speech-started") return event.atMs > 0 ? { ...event, atMs: event.atMs + prefixMs } : event;
    if (silenceMs === undefined) return { ...event, isLate: true };
    return { ...event, atMs: Math.max(0, event.atMs - silenceMs) };
  }

  /**
   * A transcription model that fails before it has ever worked here cannot be run by the service, for example because there is no
   * deployment: the next one is tried. One that has worked is retained. Returns true if the settings have to be sent again.
   */
  learnsFrom({ type, itemId }: Extract<ParsedEvent, { readonly itemId: string }>): boolean {
    const { learnt, parts } = this.#dialect;
    const transcription = this.#transcribedWith.get(itemId) ?? this.#transcription;
    const model = transcription?.["model"];
    if (transcription === undefined || typeof model !== "string") return false;
    if (type === "user-transcript-finished") learnt.works(parts.transcription, model);
    if (type !== "user-transcript-failed" || learnt.isWorking(parts.transcription, model)) return false;
    if (!learnt.hasOther(parts.transcription, transcription)) return false;
    // Several items may have been transcribed with it before it was replaced.
    if (learnt.isRefused(parts.transcription, transcription)) return false;
    this.#report(learnt.refuse(parts.transcription, "model", transcription, "transcription_failed"));
    return this.#negotiation === undefined;
  }

  #isOfVoice(part: string): boolean {
    const { voice } = this.#dialect.parts;
    return part === voice || part.startsWith(`${voice}.`);
  }

  #sendNext(negotiation: SettingsNegotiation): void {
    this.#updateId = `${updateIdStart}${++this.#updates}`;
    this.#unanswered += 1;
    this.#send({ type: "session.update", event_id: this.#updateId, session: negotiation.toSend });
  }

  /** Logged once a session: a service may repeat it with each response. */
  takeWarning({ code, param }: Extract<ParsedEvent, { type: "warning" }>): void {
    const about = `${code} ${param}`;
    if (this.#warnings.has(about)) return;
    this.#warnings.set(about, true);
    this.#logger.warn({ code, param }, "the realtime service warns");
  }

  #report(repair: SettingsRepair): void {
    const dialect = this.#dialect;
    const logger = this.#logger;
    const onRepaired = this.#onRepaired;
    const { part, how, note } = repair;
    if (dialect.learnt.note(note))
      logger.warn({ part, how, note }, "the realtime model refused a part of the settings, going on without it");
    onRepaired(repair);
  }
}

function objectAt(session: WireObject, path: string): WireObject | undefined {
  const value = at(session, path.split("."));
  return isPlainObject(value) ? value : undefined;
}
