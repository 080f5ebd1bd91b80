/** The conversations of the other end-to-end tests, unchanged, with every cloud adapter in the path. */
import { cloud, realtime } from "../support/composition.ts";
import { describeSpokenConversation } from "../support/spoken-conversation.ts";

for (const composition of [cloud, realtime]) describeSpokenConversation(composition);
