/** FR-4 and FR-5: what one peer may make us hold or do. Pure, on the clock it is given. */

/** One message: 8 s of base64 audio at 16 kHz, or a very long sentence. The WebSocket server enforces it. */
export const maxMessageBytes = 512 * 1024;

/**
 * 50 audio messages a second are real time; four times that lets a client catch up after a stall without letting one
 * peer take the event loop from the others.
 */
export const messageRate: Rate = { perSecond: 200, burst: 600 };

/** Nobody types faster, and each text begins a turn: a reply is thought of, and the one before it is thrown away. */
export const textRate: Rate = { perSecond: 10, burst: 30 };

interface Rate {
  readonly perSecond: number;
  readonly burst: number;
}

/** About 30 s of base64 audio at 16 kHz that a peer did not take. */
export const maxUnsentBytes = 1_500_000;

/** Returns whether one more message is within the rate (a token bucket). */
export function createRateLimit(now: () => number, { perSecond, burst }: Rate): () => boolean {
  let tokens = burst;
  let refilledAtMs = now();
  return () => {
    const atMs = now();
    tokens = Math.min(burst, tokens + ((atMs - refilledAtMs) * perSecond) / 1000);
    refilledAtMs = atMs;
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  };
}
