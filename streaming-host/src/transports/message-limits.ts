/** FR-4 and FR-5: limits on what one peer can make us store or do. Pure, on the given clock. */

/** One message: 8 s of base64 audio at 16 kHz, or a very long sentence. The WebSocket server enforces it. */
export const maxMessageBytes = 512 * 1024;

/**
 * Real time is 50 audio messages a second; four times that lets a client catch up after a stall, without one peer
 * taking the event loop from the others.
 */
export const messageRate: Rate = { perSecond: 200, burst: 600 };

/**
 * Frames that are not a whole message: pings, pongs, fragments. A proxy may cut each message into four. Reading one takes as long as
 * reading a message, and a second of nothing else kept the event loop busy for 140 ms at a time.
 */
export const otherFrameRate: Rate = { perSecond: 800, burst: 2400 };

/** Nobody types faster. Each text starts a turn, which generates a reply and discards the previous one. */
export const textRate: Rate = { perSecond: 10, burst: 30 };

/**
 * Characters that are typed, or transcribed by the peer's own service. Fast speech has 20 a second and fast typing 15; the burst allows for
 * a long paste. Everything is stored, so this also limits how fast a conversation grows.
 */
export const wordRate: Rate = { perSecond: 100, burst: 20_000 };

/** A text counts as at least this many characters, because even one word may run a tool, whose result is stored. */
export const leastTextCharacters = 100;

/** The longest text of a client's message, and the longest transcript of a peer's own service. */
export const maxTextCharacters = 4000;

/** Automatic diallers send 10 keys a second; each `#` ends a turn. */
export const keyRate: Rate = { perSecond: 20, burst: 100 };

interface Rate {
  readonly perSecond: number;
  readonly burst: number;
}

/** About 30 s of base64 audio at 16 kHz that a peer has not taken. */
export const maxUnsentBytes = 1_500_000;

/** Returns whether this many more (by default one) are within the rate: a token bucket. */
export function createRateLimit(now: () => number, { perSecond, burst }: Rate): (count?: number) => boolean {
  let tokens = burst;
  let refilledAtMs = now();
  return (count = 1) => {
    const atMs = now();
    tokens = Math.min(burst, tokens + ((atMs - refilledAtMs) * perSecond) / 1000);
    refilledAtMs = atMs;
    if (tokens < count) return false;
    tokens -= count;
    return true;
  };
}
