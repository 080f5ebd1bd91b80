import type { Holders } from "../ports/holders.ts";

/**
 * Reservations of places for calls whose stream has not arrived yet, so that a call is placed or answered only if a
 * host has room for it. A reservation states how many places are free of conversations; existing reservations are
 * subtracted in the same atomic step, so that all processes together never promise more than there is. Times are
 * durations, because the clocks of processes differ.
 */
export type CallPlaces = ReturnType<typeof createCallPlaces>;

/** In the slot of the calls, as everything about them is. */
const key = "{calls}:places";

export function createCallPlaces(holders: Holders) {
  return {
    /** True if the call has a place, new or already reserved; the reservation then lasts this long from now. */
    keep: (callId: string, { free, forMs }: { readonly free: number; readonly forMs: number }) =>
      holders.hold(key, callId, { limit: free, forMs }),
    /** Lets an existing reservation expire after this time; has no effect without one. */
    giveBack: (callId: string, inMs: number) => holders.shorten(key, callId, inMs),
    /** The number of reservations. */
    kept: async () => (await holders.of(key)).length,
  };
}
