/**
 * The conversations of this host. To begin one takes four steps, each with a verb of its own:
 *
 * - **connect** (`connect/connection.ts`): a transport gets a conversation, perhaps several in a row, until its socket closes;
 * - **claim** (`directory.ts`): a session belongs to the newest socket that asks for it, and the older one lets go;
 * - **open** (`open/open-session.ts`): the stored session is found or made, with its customer, catalog, recording and watchers;
 * - **run** (`run/run-session.ts`): the session runs in its mode.
 *
 * Each calls the next; `companions/` hear and see a session beside its peer. Nothing here names a vendor or a database.
 */
import type { ConversationRequest } from "../../session/conversation/open-conversation.ts";
import { copyDefinitions } from "@voice/shared/state/copy-definitions";
import { SharedQuota } from "@voice/shared/state/shared-quota";
import type { LiveSession } from "../../session/modes/live-session.ts";
import type { LiveConnection } from "../accept/live-connections.ts";
import { createNameCheck } from "./open/check-names.ts";
import type { CheckNames } from "../accept/requested-names.ts";
import { connectConversation } from "./connect/connection.ts";
import type { ConversationOnTransport } from "./connect/connection.ts";
import { ConversationDirectory } from "./directory.ts";
import { OperatorDesk } from "./companions/operator-desk.ts";
import { openSession } from "./open/open-session.ts";
import type { SessionToOpen } from "./open/open-session.ts";
import { createSharedParts } from "./shared-parts.ts";
import type { ConversationsOptions } from "./shared-parts.ts";

export interface Conversations {
  /** Rejects if the first conversation cannot be opened; later ones are refused on the transport. */
  connect(conversation: ConversationOnTransport): Promise<LiveConnection>;
  claim(session: SessionToOpen): Promise<LiveSession>;
  readonly checkNames: CheckNames;
  /** HS-12: the host can be reached again, and others may have taken it for dead. */
  returned(): void;
  /** Called after the last conversation. */
  close(): Promise<void>;
}

export function createConversations(options: ConversationsOptions): Conversations {
  const { clock, logger } = options;
  const directory = new ConversationDirectory<LiveSession>();
  const { broadcasts } = options.state;
  const operators = new OperatorDesk({ broadcasts, find: (sessionId) => directory.find(sessionId), clock, logger });
  const shared = createSharedParts(options, operators);
  const resets = new SharedQuota({
    name: "resets",
    limit: () => shared.settingsNow().maxResetsPerHour,
    counters: options.state.counters,
    clock,
    logger,
  });
  const checkNames = createNameCheck(shared.catalogs, {
    sessions: options.state.sessions,
    customers: shared.customers,
  });
  const claim: Conversations["claim"] = (session) =>
    directory.claim(session.request.sessionId, () => openSession(session, shared));
  const boundCustomer = async (
    bound: string,
    { phoneNumber, owner: subject, profileId: named }: Pick<ConversationRequest, "phoneNumber" | "owner" | "profileId">,
  ) => {
    const record = await options.state.sessions.get(bound);
    // The service may have forgotten the session, but not whom its client has named.
    const customerId = typeof record === "string" ? named : record.profileId;
    if (customerId === undefined) return undefined;
    return (await shared.customers.find({ sessionId: undefined, customerId, phoneNumber, subject }))?.id;
  };
  const onLeft = (sessionId: string): void => options.onLeft?.(sessionId);
  return {
    connect: (conversation) =>
      connectConversation({
        ...conversation,
        claim,
        checkNames,
        onLeft,
        resets,
        boundCustomer,
        copyDefinitions: (from, to) => copyDefinitions(options.state, from, to),
        clock,
        logger,
      }),
    claim,
    checkNames,
    returned: () => shared.reclaimer.returned(),
    close() {
      shared.reclaimer.close();
      shared.keepAlive.close();
      return operators.close();
    },
  };
}
