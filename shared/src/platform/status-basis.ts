/**
 * What the status of a service rests on.
 * `answered`: it has lately done what a conversation needed of it. `reached`: a small request has found it, and no conversation has needed it
 * lately. `not-asked`: nothing has been requested from it yet.
 */
export const statusBases = ["answered", "reached", "not-asked"] as const;
export type StatusBasis = (typeof statusBases)[number];
