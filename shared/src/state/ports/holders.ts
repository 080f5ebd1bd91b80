/** Who holds what only so many may hold at the same time, across all processes. Whoever does not release it loses it in time. */
export interface HoldBounds {
  readonly limit: number;
  readonly forMs: number;
}

export interface Holders {
  /**
   * Whether the holder has it, for this long from now on: it had it already, or fewer than the limit did. Simultaneous requests
   * never exceed the limit.
   */
  hold(key: string, holder: string, bounds: HoldBounds): Promise<boolean>;
  /** The holder, if it is one, loses it in this time, unless that is sooner already. */
  shorten(key: string, holder: string, toMs: number): Promise<void>;
  of(key: string): Promise<readonly string[]>;
  release(key: string, holders: readonly string[]): Promise<void>;
}
