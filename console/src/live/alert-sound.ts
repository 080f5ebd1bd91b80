/**
 * A short sound for what needs somebody, from one tab of this browser (WALL-4). Off until the user switches it on, because a browser plays
 * nothing before a click.
 */
import { Store } from "@voice/client-kit/store";

/** Resolves with whether this tab has got the name. It has it until the signal is aborted, or the tab is closed. */
export type Claim = (name: string, until: AbortSignal) => Promise<boolean>;

export class AlertSound {
  readonly store = new Store<boolean>(false);
  /** How many conversations need somebody, whether or not the sound is on. */
  readonly needyCount = new Store(0);
  readonly #prepare: () => () => void;
  readonly #claim: Claim;
  #play: (() => void) | undefined;
  /** What needs somebody now, and until when this tab claims it. */
  #needy = new Map<string, AbortController>();

  /** `prepare` is called while a click is being handled; what it returns plays the sound. */
  constructor(prepare: () => () => void, claim: Claim) {
    this.#prepare = prepare;
    this.#claim = claim;
  }

  toggle(): void {
    const isOn = !this.store.get();
    this.store.set(isOn);
    if (isOn) {
      this.#play ??= this.#prepare();
      this.#play();
    } else for (const claim of this.#needy.values()) claim.abort();
  }

  /** The conversations that need somebody. Each that is new is announced. */
  follow(needy: ReadonlySet<string>): void {
    this.needyCount.set(needy.size);
    for (const [id, claim] of this.#needy)
      if (!needy.has(id)) {
        claim.abort();
        this.#needy.delete(id);
      }
    for (const id of needy) {
      if (this.#needy.has(id)) continue;
      const claim = new AbortController();
      this.#needy.set(id, claim);
      if (this.store.get()) void this.#announce(id, claim.signal);
    }
  }

  async #announce(id: string, until: AbortSignal): Promise<void> {
    if (await this.#claim(`voice.alert.${id}`, until)) this.#play?.();
  }
}

/** Chooses one tab with the locks that all tabs of an origin share. Without locks (the origin is not secure), each tab acts alone. */
export const claimAmongTabs: Claim = (name, until) => {
  if (!("locks" in navigator)) return Promise.resolve(true);
  return new Promise((resolve, reject) => {
    navigator.locks
      .request(name, { ifAvailable: true }, (lock) => {
        resolve(lock !== null);
        if (lock === null || until.aborted) return undefined;
        return new Promise<void>((release) => {
          until.addEventListener("abort", () => release(), { once: true });
        });
      })
      .catch(reject);
  });
};
