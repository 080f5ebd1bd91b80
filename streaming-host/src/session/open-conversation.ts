/** Finds the conversation a caller wants to go on with, or begins a new one (HS-4, HS-5). */
import type { SessionCatalog } from "@voice/shared/catalog/session-catalog";
import { BadRequestError } from "@voice/shared/platform/errors";
import { createId } from "@voice/shared/platform/ids";
import type { Logger } from "@voice/shared/platform/logger";
import type { Channel, SessionStore, StreamingMode } from "@voice/shared/state/ports/session-store";
import { Conversation } from "./conversation.ts";

export interface ConversationRequest {
  readonly sessionId?: string | undefined;
  readonly channel: Channel;
  readonly streamingMode: StreamingMode;
  readonly scenario?: string | undefined;
  readonly agent?: string | undefined;
  readonly userEmail?: string | undefined;
  readonly profileId?: string | undefined;
  readonly callConnectionId?: string | undefined;
  /** Keep the id, forget the rest: the client changed its mind before its first turn (HS-6). */
  readonly startsAfresh?: boolean | undefined;
}

export interface ConversationSources {
  readonly store: SessionStore;
  /** The scenario by name, or the one that applies where none was asked for; rejects with `not_found`. */
  readonly compileCatalog: (
    sessionId: string,
    wish: { readonly remembered?: string | undefined; readonly asked?: string | undefined },
  ) => Promise<SessionCatalog>;
  readonly wallNow: () => number;
  readonly hostId: string;
  readonly logger: Logger;
}

export async function openConversation(
  request: ConversationRequest,
  sources: ConversationSources,
): Promise<{ conversation: Conversation; resumed: boolean }> {
  const { store, logger } = sources;
  const known = request.sessionId === undefined ? "unknown" : await store.get(request.sessionId);
  if (typeof known === "string") {
    return { conversation: await beginConversation(request, sources), resumed: false };
  }
  const catalog = await sources.compileCatalog(known.sessionId, {
    asked: request.scenario,
    remembered: known.scenario,
  });
  const history = await store.history(known.sessionId);
  const startsAfresh = request.startsAfresh ?? false;
  const wanted = request.agent ?? (startsAfresh ? catalog.scenario.startAgent : known.activeAgent);
  const agent = catalog.agent(wanted) ?? catalog.agent(catalog.scenario.startAgent);
  const record = await store.update(known.sessionId, known.version, {
    status: "active",
    hostId: sources.hostId,
    scenario: catalog.scenario.name,
    activeAgent: agent?.name ?? catalog.scenario.startAgent,
    ...(startsAfresh ? { visitedAgents: [], memory: {}, profileId: request.profileId } : {}),
  });
  return { conversation: new Conversation({ record, history, catalog, store, logger }), resumed: !startsAfresh };
}

async function beginConversation(request: ConversationRequest, sources: ConversationSources): Promise<Conversation> {
  const { store, logger } = sources;
  const sessionId = request.sessionId ?? createId("session");
  const catalog = await sources.compileCatalog(sessionId, { asked: request.scenario });
  const agent = catalog.agent(request.agent ?? catalog.scenario.startAgent);
  if (agent === undefined)
    throw new BadRequestError("not_found", "The scenario has no such agent.", [
      { field: "agent", message: "no agent of this name in the scenario", code: "not_found" },
    ]);
  const record = await store.create({
    sessionId,
    channel: request.channel,
    streamingMode: request.streamingMode,
    scenario: catalog.scenario.name,
    activeAgent: agent.name,
    visitedAgents: [],
    status: "active",
    memory: {},
    hostId: sources.hostId,
    userEmail: request.userEmail,
    profileId: request.profileId,
    callConnectionId: request.callConnectionId,
    createdAtMs: sources.wallNow(),
  });
  return new Conversation({ record, history: [], catalog, store, logger });
}
