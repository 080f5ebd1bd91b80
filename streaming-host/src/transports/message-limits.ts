/** FR-4 and FR-5: limits on what one peer can make us store or do. Pure, on the given clock. */

/** One message: 8 s of base64 audio at 16 kHz, or a very long sentence. The WebSocket server enforces it. */
export const maxMessageBytes = 512 * 1024;

/**
 * Real time is 50 audio messages a second; four times that lets a client catch up after a stall, without one peer
 * taking the event loop from the others.
 */
export const messageRate: Rate = { perSecond: 200, burst: 600 };

/** Nobody types faster, and each text begins a turn, which generates a reply and discards the previous one. */
export const textRate: Rate = { perSecond: 10, burst: 30 };

interface Rate {
  readonly perSecond: number;
  readonly burst: number;
}

/** About 30 s of base64 audio at 16 kHz that a peer has not taken. */
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
