/**
 * The turn machine's events and decisions in a conversation, for diagnosing what went wrong. It contains the caller's
 * words, and expires with the session.
 */
export interface FlightLog {
  /**
   * Appends a segment of JSON and keeps the session's newest `keep` segments. Does nothing if the session does not
   * exist (any more), so that deleted data cannot come back.
   */
  append(sessionId: string, segment: string, keep: number): Promise<void>;
  /** The oldest first. */
  read(sessionId: string): Promise<readonly string[]>;
}
