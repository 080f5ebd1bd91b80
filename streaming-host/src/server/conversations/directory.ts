/** Which socket holds which session on this host (HS-9): the newest one that claims it; the older one is told. */

/** The part of a session that the directory needs. */
export interface HeldSession {
  readonly conversation: { readonly sessionId: string };
  readonly ended: Promise<string>;
  close(reason: "replaced"): Promise<void>;
}

export class ConversationDirectory<Session extends HeldSession> {
  readonly #live = new Map<string, Session>();
  /** The last claim to each session that is not settled yet. */
  readonly #claims = new Map<string, Promise<Session>>();

  /**
   * Opens a session for a socket. Sockets that claim the same session at the same time take turns; otherwise none would
   * see the others. Without an id the session will be a new one, which nobody can hold yet.
   */
  async claim(sessionId: string | undefined, open: () => Promise<Session>): Promise<Session> {
    if (sessionId === undefined) return this.#open(open);
    const claim = this.#takeOver(sessionId, open);
    this.#claims.set(sessionId, claim);
    try {
      return await claim;
    } finally {
      if (this.#claims.get(sessionId) === claim) this.#claims.delete(sessionId);
    }
  }

  /** The session, if this host holds it now. */
  find(sessionId: string): Session | undefined {
    return this.#live.get(sessionId);
  }

  async #takeOver(sessionId: string, open: () => Promise<Session>): Promise<Session> {
    await this.#claims.get(sessionId)?.catch(() => undefined); // the socket that it failed for is told
    await this.#live.get(sessionId)?.close("replaced");
    return this.#open(open);
  }

  async #open(open: () => Promise<Session>): Promise<Session> {
    const session = await open();
    this.#live.set(session.conversation.sessionId, session);
    void session.ended.then(() => this.#forget(session));
    return session;
  }

  #forget(session: Session): void {
    const { sessionId } = session.conversation;
    if (this.#live.get(sessionId) === session) this.#live.delete(sessionId);
  }
}
