/** The words in the addresses that Twilio is given. */

/** The instruction that Twilio has finished when it requests the next one. */
export const errandKinds = ["stream", "wait", "pick-up", "dial", "play", "digits"] as const;
export type ErrandKind = (typeof errandKinds)[number];

/** What a report is about. */
export const reportSubjects = ["call", "machine", "stream", "dialled"] as const;
export type ReportSubject = (typeof reportSubjects)[number];
