/** Where a call stands: in its record, in the lists of GET /calls/ and in what watchers are told. */
export const callStatuses = ["initiating", "ringing", "connected", "on_hold", "disconnected", "failed"] as const;
export type CallStatus = (typeof callStatuses)[number];
