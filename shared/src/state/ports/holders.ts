/** Places of which only a limited number exist across all processes, and their holders. A place that is not released expires. */
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
