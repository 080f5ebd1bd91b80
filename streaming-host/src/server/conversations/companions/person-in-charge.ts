/**
 * The person who has taken one conversation over (PERSON-4): stored with the session, so that it stays theirs on another host, and handed
 * back to the agent if they are gone (PERSON-8).
 */
import {
  decodePersonAudio,
  listenInRenewalMs,
  personAudioTopic,
} from "@voice/shared/contracts/events/operator-command";
import type { ServerPayloads } from "@voice/shared/contracts/stream/server-message";
import type { CancelTimer, Clock } from "@voice/shared/platform/clock";
import type { Logger } from "@voice/shared/platform/logger";
import { warnIfItFails } from "@voice/shared/platform/warn-if-it-fails";
import type { Broadcasts, StopListening } from "@voice/shared/state/ports/broadcasts";
import { samplesFromBase64 } from "@voice/provider-kit/audio/pcm16";
import type { Conversation } from "../../../session/conversation/conversation.ts";
import type { LiveSession } from "../../../session/modes/live-session.ts";
import type { NoticePublisher } from "./publish-notices.ts";

/** A person whose page has been silent for three renewals is gone, as with listeners. */
const patienceMs = 3 * listenInRenewalMs;

const lostNotes = "The connection of the colleague was lost.";

export interface PersonInChargeOptions {
  readonly sessionId: string;
  readonly conversation: Pick<Conversation, "record" | "setPerson">;
  readonly session: () => Pick<LiveSession, "handle"> | undefined;
  readonly notices: Pick<NoticePublisher, "publish">;
  readonly broadcasts: Broadcasts;
  readonly clock: Clock;
  readonly logger: Logger;
}

export class PersonInCharge {
  readonly #options: PersonInChargeOptions;
  #subject: string | undefined;
  #audio: Promise<StopListening | undefined> | undefined;
  #cancelLoss: CancelTimer = () => undefined;

  constructor(options: PersonInChargeOptions) {
    this.#options = options;
    // Taken over on a host that had the conversation before; the session knows it from the record, too.
    const { person } = options.conversation.record;
    if (person !== undefined) this.#listenTo(person.subject);
  }

  takeOver(subject: string): void {
    if (this.#subject !== undefined && this.#subject !== subject) return; // somebody else was faster
    const { conversation, clock } = this.#options;
    const isNew = this.#subject === undefined;
    this.#listenTo(subject);
    if (!isNew) return;
    conversation.setPerson({ subject, sinceMs: clock.wallNow() });
    this.#options.session()?.handle({ type: "person-joined" });
    this.#notify("take_over");
  }

  handBack(notes: string | undefined): void {
    if (this.#subject === undefined) return;
    this.end();
    this.#options.conversation.setPerson(undefined);
    this.#notify("hand_back", notes);
    this.#options.session()?.handle({ type: "person-left", notes });
  }

  setOnHold(isOnHold: boolean): void {
    if (this.#subject === undefined) return;
    this.#options.session()?.handle({ type: "person-hold", isOnHold });
    this.#notify(isOnHold ? "hold" : "resume");
  }

  press(digits: string): void {
    if (this.#subject === undefined) return;
    this.#options.session()?.handle({ type: "effect-requested", effect: { type: "send-dtmf", digits } });
    this.#notify("keys");
  }

  /** Somebody who listens in is there. */
  renew(subject: string | undefined): void {
    if (subject !== undefined && subject === this.#subject) this.#expectRenewal();
  }

  /** Stops listening to the person; whose conversation it is remains stored. */
  end(): void {
    this.#subject = undefined;
    this.#cancelLoss();
    void this.#audio?.then((stop) => stop?.());
    this.#audio = undefined;
  }

  #listenTo(subject: string): void {
    const { broadcasts, sessionId, logger } = this.#options;
    this.#subject = subject;
    this.#expectRenewal();
    this.#audio ??= warnIfItFails(logger, { sessionId }, "the voice of a person who took over cannot be received", () =>
      broadcasts.listen(personAudioTopic(sessionId), (text) => this.#hear(text)),
    );
  }

  #hear(text: string): void {
    const { subject, base64 } = decodePersonAudio(text);
    if (subject !== this.#subject) return;
    this.#options.session()?.handle({ type: "person-audio", samples: samplesFromBase64(base64) });
  }

  #expectRenewal(): void {
    this.#cancelLoss();
    this.#cancelLoss = this.#options.clock.setTimer(patienceMs, () => {
      this.#options.logger.warn(
        { sessionId: this.#options.sessionId },
        "the person who took a conversation over is gone",
      );
      this.#notify("person_lost");
      this.handBack(lostNotes);
    });
  }

  #notify(action: Extract<ServerPayloads["event"], { name: "operator" }>["action"], text?: string): void {
    const about = text === undefined || text === "" ? {} : { text };
    this.#options.notices.publish({ type: "event", payload: { name: "operator", action, ...about } });
  }
}
