/** A conversation of an anonymous browser, with the fake catalog unless another is given. */
import { anonymous } from "@voice/shared/auth/caller";
import { silentLogger } from "@voice/shared/platform/logger";
import type { VirtualClock } from "@voice/shared/platform/virtual-clock";
import type { StreamingMode } from "@voice/shared/state/ports/session-store";
import { openConversation } from "../session/conversation/open-conversation.ts";
import type {
  ConversationRequest,
  ConversationSources,
  OpenedConversation,
} from "../session/conversation/open-conversation.ts";
import { fakeCatalog } from "./fake-catalog.ts";

export function openTestConversation(
  {
    clock,
    ...parts
  }: Pick<ConversationSources, "store"> & Partial<ConversationSources> & { readonly clock: VirtualClock },
  request: Partial<ConversationRequest> & { readonly streamingMode: StreamingMode },
): Promise<OpenedConversation> {
  return openConversation(
    { caller: anonymous, owner: undefined, channel: "browser", ...request },
    {
      compileCatalog: async () => fakeCatalog(),
      wallNow: () => clock.wallNow(),
      hostId: "host-1",
      logger: silentLogger,
      ...parts,
    },
  );
}
