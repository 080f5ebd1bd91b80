/** What to do if an answering machine answers an outbound call. */
export const voicemailAnswers = ["ignore", "hang-up", "message"] as const;
export type VoicemailAnswer = (typeof voicemailAnswers)[number];

/** What may have answered a call in place of a person: a mailbox, a telephone menu, or the network's own announcement. */
export const noPersons = ["machine", "menu", "not_in_service"] as const;
export type NoPerson = (typeof noPersons)[number];
