import type { Logger } from "../../platform/logger.ts";
import type { Broadcasts } from "../ports/broadcasts.ts";
import { Listeners } from "./listeners.ts";

export function createMemoryBroadcasts(logger: Logger): Broadcasts {
  const listeners = new Listeners<string>((error) => logger.warn({ error }, "a listener to broadcasts failed"));
  return {
    send: (topic, text) => listeners.deliver(topic, text),
    listen: async (topic, listener) => listeners.add(topic, listener),
  };
}
