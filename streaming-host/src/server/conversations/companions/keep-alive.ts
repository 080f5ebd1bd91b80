/**
 * HS-13: tells the store from time to time which conversations this host carries, because it forgets what nobody has written to
 * for a day, and a conversation may be as long as that without a word.
 */
import type { CancelTimer } from "@voice/shared/platform/clock";
import { createOutageLog } from "@voice/shared/platform/outage-log";
import type { MediaSessionStore } from "@voice/shared/state/ports/media-session-store";
import type { SessionRecord, SessionStore } from "@voice/shared/state/ports/session-store";
import type { Host } from "../../../host/host.ts";

type HostOfConversations = Pick<Host, "random" | "clock" | "logger"> & {
  readonly state: {
    readonly sessions: Pick<SessionStore, "keepAlive">;
    readonly mediaSessions: Pick<MediaSessionStore, "keepAlive">;
  };
};

interface Carried {
  readonly record: SessionRecord;
}

/** A day is long enough for many attempts, should the store be away. Hosts that began together do not come together. */
const longestPeriodMs = 60 * 60_000;

const sentences = {
  failing: "the store could not be told which conversations go on",
  over: "the store is told which conversations go on again",
};

export class KeepAlive {
  readonly #host: HostOfConversations;
  readonly #carried = new Set<Carried>();
  readonly #telling;
  #cancel: CancelTimer | undefined;

  constructor(host: HostOfConversations) {
    this.#host = host;
    this.#telling = createOutageLog(host.logger, sentences);
  }

  /** Returns the function that is called when the conversation has ended. */
  attend(conversation: Carried): () => void {
    this.#carried.add(conversation);
    if (this.#cancel === undefined) this.#tellLater();
    return () => {
      this.#carried.delete(conversation);
      if (this.#carried.size === 0) this.close();
    };
  }

  close(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #tellLater(): void {
    const { clock, random } = this.#host;
    const periodMs = longestPeriodMs * (0.5 + random() / 2);
    this.#cancel = clock.setTimer(periodMs, () => {
      this.#tellLater();
      void this.#tell();
    });
  }

  async #tell(): Promise<void> {
    const { sessions, mediaSessions } = this.#host.state;
    const records = [...this.#carried].map(({ record }) => record);
    const media = records.filter(({ channel }) => channel === "media").map(({ sessionId }) => sessionId);
    try {
      await Promise.all([sessions.keepAlive(records), mediaSessions.keepAlive(media)]);
      this.#telling.worked();
    } catch (error) {
      this.#telling.failed(error);
    }
  }
}
