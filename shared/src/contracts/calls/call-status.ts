/** The state of a call: in its record, in the lists of GET /calls/ and in notifications to watchers. */
export const callStatuses = ["initiating", "ringing", "connected", "on_hold", "disconnected", "failed"] as const;
export type CallStatus = (typeof callStatuses)[number];
