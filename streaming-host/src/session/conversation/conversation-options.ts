/** What a conversation is opened with. */
import type { Agent } from "@voice/shared/catalog/agent";
import type { SpeechDefaults } from "@voice/shared/catalog/catalog-in-language";
import type { SessionCatalog } from "@voice/shared/catalog/session-catalog";
import type { Logger } from "@voice/shared/platform/logger";
import type { HistoryItem, SessionRecord, SessionStore } from "@voice/shared/state/ports/session-store";
import type { WriteSummary } from "../../pipeline/cascade/write-summary.ts";
import type { NewestConversations } from "./late-results.ts";

/** How large the history of one session may become (FR-8). */
export interface HistoryLimit {
  /** Characters, as `historySize` counts them. */
  readonly maxCharacters: number;
  /** Called once, when an append reaches the limit. What is said while the conversation ends is still kept. */
  readonly onReached: () => void;
}

export interface ConversationOptions {
  readonly record: SessionRecord;
  readonly history: readonly HistoryItem[];
  readonly catalog: SessionCatalog;
  /** What agents speak and where they are, where nobody says anything else. Absent: as the catalog says. */
  readonly speechDefaults?: SpeechDefaults | undefined;
  readonly store: SessionStore;
  /** Whether the store has all that was written of a session, so that nothing of it waits. Absent: it always has. */
  readonly isStored?: ((sessionId: string) => boolean) | undefined;
  readonly logger: Logger;
  /** The newest conversation of each session in this process (EFFECT-18). Absent: there is one at a time. */
  readonly newest?: NewestConversations | undefined;
  /** Another host has taken over the session with a newer socket. */
  readonly onTakenOver?: (() => void) | undefined;
  /** Absent: older history is summarised without a model. */
  readonly writeSummary?: WriteSummary | undefined;
  /** MODEL-12: how many tokens an agent's model reads and writes together, where that is known. */
  readonly contextTokens?: ((agent: Agent) => number | undefined) | undefined;
  /** Absent: the history may grow without limit. */
  readonly historyLimit?: HistoryLimit | undefined;
}
