/**
 * A synthesiser that is replaced for good by another one as soon as its server reports that it has no such service: OpenAI retires the
 * models behind `/audio/speech` on 6 January 2027, and a key alone must be enough for a voice agent after that, too.
 */
import type { Synthesiser } from "@voice/provider-kit/ports/synthesiser";
import { UpstreamAccessError } from "@voice/shared/platform/errors";
import type { Logger } from "@voice/shared/platform/logger";

export interface Successor {
  /** The name of its model in the price file. */
  readonly model: string;
  create(): Synthesiser;
}

export function withSuccessor(first: Synthesiser, successor: Successor, logger: Logger): Synthesiser {
  let next: Synthesiser | undefined;

  function speakInstead(...[request, events, signal]: Parameters<Synthesiser["synthesise"]>): Promise<void> {
    next ??= successor.create();
    request.onStandIn?.(successor.model);
    return next.synthesise(request, events, signal);
  }

  return {
    async synthesise(request, events, signal) {
      if (next !== undefined) return speakInstead(request, events, signal);
      let hasSpoken = false;
      const noted: typeof events = {
        ...events,
        onAudio(samples) {
          hasSpoken = true;
          events.onAudio(samples);
        },
      };
      try {
        return await first.synthesise(request, noted, signal);
      } catch (error) {
        if (hasSpoken || !(error instanceof UpstreamAccessError)) throw error;
        logger.warn(
          { reason: error.reason },
          "the speech model is gone; the realtime model reads texts out from now on",
        );
        return speakInstead(request, events, signal);
      }
    },
    pool: () => (next ?? first).pool(),
    async close() {
      await Promise.all([first.close(), next?.close()]);
    },
  };
}
