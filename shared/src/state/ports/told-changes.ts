/**
 * Whether something that a conversation goes by was changed from outside (LIVE-1): an agent, one of the session's own agents or scenarios, or
 * its profile. Whoever changes one of these through the state tells every process of it.
 */
export interface ToldChanges {
  /**
   * Another number whenever something may have changed that concerns the session. Undefined while this process may miss what others tell.
   * Asks nobody, so it may be asked before every turn.
   */
  markOf(sessionId: string): number | undefined;
}
