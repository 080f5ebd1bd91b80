import type { Broadcasts } from "../ports/broadcasts.ts";
import type { Keys } from "./keys.ts";
import type { PubSub } from "./pub-sub.ts";

export function createRedisBroadcasts(pubSub: PubSub, keys: Keys): Broadcasts {
  return {
    send(topic, text) {
      // Publishing is best effort: listeners notice missing messages themselves.
      pubSub.publish(keys.broadcastChannel(topic), text).catch(() => undefined);
    },
    listen: (topic, listener) => pubSub.subscribe(keys.broadcastChannel(topic), { onMessage: listener }),
  };
}
