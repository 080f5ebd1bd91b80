import type { Broadcasts, StopListening } from "../ports/broadcasts.ts";
import type { Keys } from "./keys.ts";
import type { PubSub } from "./pub-sub.ts";

export class RedisBroadcasts implements Broadcasts {
  readonly #pubSub: PubSub;
  readonly #keys: Keys;

  constructor(pubSub: PubSub, keys: Keys) {
    this.#pubSub = pubSub;
    this.#keys = keys;
  }

  send(topic: string, text: string): void {
    // Publishing is best effort: listeners notice missing messages themselves.
    this.#pubSub.publish(this.#keys.broadcastChannel(topic), text).catch(() => undefined);
  }

  listen(topic: string, listener: (text: string) => void): Promise<StopListening> {
    return this.#pubSub.subscribe(this.#keys.broadcastChannel(topic), { onMessage: listener });
  }
}
