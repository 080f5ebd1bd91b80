/** What became of a conversation, or of a call that never became one, in the few kinds by which lists are filtered. */
import { callOutcomes } from "../calls/call-outcome.ts";

/** The outcomes of a call, and two ways in which a conversation is completed without the agents having finished it. */
export const conversationOutcomes = [...callOutcomes, "transferred", "voicemail"] as const;
export type ConversationOutcome = (typeof conversationOutcomes)[number];
