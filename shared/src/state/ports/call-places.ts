/**
 * Places that are kept for calls whose stream is on its way: a call is answered, or placed, only where somebody will carry
 * it. Whoever keeps one says how many places no conversation has; those that are kept for other calls go off that number
 * in the same step, so that any number of processes together never promise more than there is. Times are spans, because
 * the clocks of processes differ.
 */
export interface CallPlaces {
  /** True where the call has a place, now or from before; then it is kept for so long from now on. */
  keep(callId: string, place: { readonly free: number; readonly forMs: number }): Promise<boolean>;
  /** The place is given back when the time is over; a call that has none gets none. */
  giveBack(callId: string, inMs: number): Promise<void>;
  /** For how many calls a place is kept. */
  kept(): Promise<number>;
}
