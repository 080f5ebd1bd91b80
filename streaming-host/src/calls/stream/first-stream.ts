/** The time from a call being connected to its first stream. */
export const firstStreamMs = 2500;
