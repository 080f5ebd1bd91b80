/**
 * What the turn machine met and decided in a conversation, for whoever has to find out why it went wrong. It holds the
 * caller's words, and ends with the session.
 */
export interface FlightLog {
  /**
   * Appends one piece, which is JSON. Of a session's pieces the newest `keep` stay. Does nothing where there is no such
   * session (any more): what was forgotten must not come back.
   */
  append(sessionId: string, segment: string, keep: number): Promise<void>;
  /** The oldest first. */
  read(sessionId: string): Promise<readonly string[]>;
}
