/** Which conversation a page had, so that it goes on after a reload. */

export type SessionStorage = Pick<Storage, "getItem" | "setItem" | "removeItem">;

export class RememberedSession {
  readonly #storage: SessionStorage | undefined;
  readonly #key: string;
  #current: string | undefined;

  /** Without a storage the session is remembered for as long as the page is open. */
  constructor(storage: SessionStorage | undefined, service: string) {
    this.#storage = storage;
    this.#key = `voice-agent:${new URL(service).origin}`;
  }

  get(): string | undefined {
    return this.#current ?? this.#storage?.getItem(this.#key) ?? undefined;
  }

  set(sessionId: string): void {
    this.#current = sessionId;
    this.#storage?.setItem(this.#key, sessionId);
  }

  forget(): void {
    this.#current = undefined;
    this.#storage?.removeItem(this.#key);
  }
}
