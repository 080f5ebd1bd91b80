/** What dashboards see of all conversations, for tests that wait for a moment in one. */
import type { State } from "@voice/shared/state/ports/state";
import { z } from "zod";

const liveMessage = z.object({ type: z.string(), payload: z.looseObject({ name: z.string().optional() }) });

export type LiveMessage = z.infer<typeof liveMessage>;

export interface LiveEvents {
  /** Resolves with the first matching event from now on. */
  next(isWanted: (message: LiveMessage) => boolean): Promise<void>;
  close(): Promise<void>;
}

export async function watchLiveEvents(state: State): Promise<LiveEvents> {
  const waiting = new Set<{ readonly isWanted: (message: LiveMessage) => boolean; readonly resolve: () => void }>();
  const stop = await state.liveUpdates.watch("all", ({ text }) => {
    const message = liveMessage.parse(JSON.parse(text));
    for (const waiter of waiting) {
      if (!waiter.isWanted(message)) continue;
      waiting.delete(waiter);
      waiter.resolve();
    }
  });
  return {
    next: (isWanted) =>
      new Promise((resolve) => {
        waiting.add({ isWanted, resolve });
      }),
    close: stop,
  };
}

export function isSpeaking({ type, payload }: LiveMessage): boolean {
  return type === "event" && payload.name === "state_change" && payload["state"] === "speaking";
}
