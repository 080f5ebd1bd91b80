/** HS-12: looks after this host's conversations when other hosts may have taken it for dead. */
import type { CancelTimer } from "@voice/shared/platform/clock";
import { toVoiceError } from "@voice/shared/platform/errors";
import type { Host } from "../../../host/host.ts";
import type { Conversation } from "../../../session/conversation/conversation.ts";
import { reclaimConversation } from "../../../session/conversation/reclaim-conversation.ts";

export interface ReclaimedSession {
  readonly conversation: Conversation;
  /** The conversation goes on, although those who watch were told that it had ended. */
  readonly onRestored: () => void;
  /** A newer socket has the conversation, on another host. */
  readonly onTakenOver: () => void;
  /** The conversation was reset or deleted, and the command to end it did not arrive. */
  readonly onOver: (reason: "reset" | "deleted") => void;
}

/**
 * The first time is when everything that waited for the store has been written. A host that has just begun to end the
 * conversations of this one may need half a minute for that, hence the second time.
 */
const checksAfterMs = [10_000, 60_000];

export class Reclaimer {
  readonly #host: Host;
  readonly #sessions = new Set<ReclaimedSession>();
  #timers: readonly CancelTimer[] = [];

  constructor(host: Host) {
    this.#host = host;
  }

  /** Returns the function that is called when the session has ended. */
  attend(session: ReclaimedSession): () => void {
    this.#sessions.add(session);
    return () => this.#sessions.delete(session);
  }

  /** The store can be reached again. */
  returned(): void {
    this.close();
    this.#timers = checksAfterMs.map((ms) => this.#host.clock.setTimer(ms, () => void this.#checkAll()));
  }

  close(): void {
    for (const cancel of this.#timers) cancel();
    this.#timers = [];
  }

  async #checkAll(): Promise<void> {
    for (const session of this.#sessions) await this.#check(session);
  }

  /** Never rejects. */
  async #check({ conversation, ...session }: ReclaimedSession): Promise<void> {
    const { state, logger } = this.#host;
    const { sessionId } = conversation;
    try {
      const reclaimed = await reclaimConversation(conversation, state.sessions);
      if (reclaimed === "ours") return;
      logger.warn({ sessionId, reclaimed }, "a conversation was changed elsewhere while this host seemed dead");
      if (reclaimed === "restored") session.onRestored();
      else if (reclaimed === "taken over") session.onTakenOver();
      else session.onOver(reclaimed);
    } catch (error) {
      const { code } = toVoiceError(error);
      logger.warn(
        { error, code, sessionId },
        "it is not known what became of a conversation while its host seemed dead",
      );
    }
  }
}
