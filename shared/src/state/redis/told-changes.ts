/**
 * Changes are told on a channel, after they are written: the channel is in one slot, and what was changed is in others. What could not be
 * told, or is changed by a process of a version that tells nothing, is found by whoever looks without being told (decision 077).
 */
import type { Clock } from "../../platform/clock.ts";
import { ChangeCounts } from "../change-counts.ts";
import type { ToldChanges } from "../ports/told-changes.ts";
import type { ChannelListener, PubSub } from "./pub-sub.ts";

const retryMs = 5_000;
/** Stands for every session; no encoded id is empty. */
const everySession = "";

export interface RedisToldChanges extends ToldChanges {
  /** Undefined: every session. Resolves once those who listen were sent it; never rejects, because the change is made. */
  tell(sessionId: string | undefined): Promise<void>;
}

export function createRedisToldChanges(pubSub: PubSub, channel: string, clock: Clock): RedisToldChanges {
  const counts = new ChangeCounts();
  /** Or has subscribed. */
  let isSubscribing = false;
  let nextAttemptMs = Number.NEGATIVE_INFINITY;
  const listener: ChannelListener = {
    onMessage: (text) => counts.add(text === everySession ? undefined : decodeURIComponent(text)),
    onRenewed: () => counts.add(undefined),
  };
  /** Begins with the first conversation: a process without any needs nothing of the store. A subscription that is lost is renewed by itself. */
  const listen = (): void => {
    if (isSubscribing || clock.now() < nextAttemptMs) return;
    isSubscribing = true;
    pubSub.subscribe(channel, listener).catch(() => {
      isSubscribing = false;
      nextAttemptMs = clock.now() + retryMs;
    });
  };
  return {
    markOf(sessionId) {
      if (pubSub.isListening(channel)) return counts.sumOf(sessionId);
      listen();
      return undefined;
    },
    async tell(sessionId) {
      counts.add(sessionId);
      const text = sessionId === undefined ? everySession : encodeURIComponent(sessionId);
      await pubSub.publish(channel, text).catch(() => undefined);
    },
  };
}
