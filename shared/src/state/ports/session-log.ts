/**
 * A bounded list of pieces of JSON about one session, for whoever looks at it later: what watchers were sent, what the turn machine
 * decided, what models were sent. It contains what people said, and expires with the session.
 */
export interface SessionLog {
  /**
   * Appends a piece and retains the session's newest `keep` pieces. Does nothing if the session does not exist (any more), so that deleted
   * data cannot come back.
   */
  append(sessionId: string, piece: string, keep: number): Promise<void>;
  /** The oldest first. */
  read(sessionId: string): Promise<readonly string[]>;
}

export const sessionLogs = ["flight", "messages", "requests", "results"] as const;
export type SessionLogName = (typeof sessionLogs)[number];

/** A piece that is stored together with something else, and how many of the newest are retained. */
export interface SessionPiece {
  readonly piece: string;
  readonly keep: number;
}
