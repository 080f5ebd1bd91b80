/** Finds the conversation a caller wants to go on with, or begins a new one (HS-4, HS-5). */
import { requireAccess, type Caller } from "@voice/shared/auth/caller";
import type { VoicemailAnswer } from "@voice/shared/calls/voicemail";
import type { SpeechDefaults } from "@voice/shared/catalog/catalog-in-language";
import type { SessionCatalog } from "@voice/shared/catalog/session-catalog";
import { memoryOfContext } from "@voice/shared/conversation/call-context";
import { memoryOfLanguage, memoryOfTimeZone } from "@voice/shared/conversation/spoken-language";
import { memoryOfUserEmail } from "@voice/shared/conversation/user-email";
import { BadRequestError, toVoiceError } from "@voice/shared/platform/errors";
import { createId } from "@voice/shared/platform/ids";
import type { Logger } from "@voice/shared/platform/logger";
import type {
  Channel,
  HistoryItem,
  SessionRecord,
  SessionStore,
  StreamingMode,
} from "@voice/shared/state/ports/session-store";
import { isOutage } from "@voice/shared/state/recall";
import type { WriteSummary } from "../../pipeline/cascade/write-summary.ts";
import { Conversation } from "./conversation.ts";

export interface ConversationRequest {
  /** Who asks; a session of somebody else is not gone on with. */
  readonly caller: Caller;
  /** Whose a session is that begins; absent: the operators'. */
  readonly owner: string | undefined;
  /** By whom resets and guesses are counted; undefined where a service carries the words of many. */
  readonly client?: string | undefined;
  readonly sessionId?: string | undefined;
  /** The number at the other end of the line, where there is one. Personal data. */
  readonly phoneNumber?: string | undefined;
  readonly channel: Channel;
  readonly streamingMode: StreamingMode;
  readonly scenario?: string | undefined;
  readonly agent?: string | undefined;
  /** Who takes a conversation that begins; one that goes on stays with the agent it is with. */
  readonly startAgent?: string | undefined;
  /** The language in which it is led; absent: as the settings say. */
  readonly language?: string | undefined;
  /** Where the caller is; absent: as the settings say. */
  readonly timeZone?: string | undefined;
  /** What is known before a conversation begins. */
  readonly context?: Readonly<Record<string, unknown>> | undefined;
  readonly userEmail?: string | undefined;
  readonly profileId?: string | undefined;
  readonly callConnectionId?: string | undefined;
  /** The phone call that carries it. */
  readonly callId?: string | undefined;
  /** What to do when a machine is at the other end; absent where none can be. */
  readonly voicemail?: VoicemailAnswer | undefined;
  /** False: no detector decides when somebody speaks; the recogniser's words alone do (`enable_vad`). */
  readonly detectsVoice?: boolean | undefined;
  /** Absent: as the settings say. */
  readonly isRecorded?: boolean | undefined;
  /** The trace that a conversation belongs to that begins. */
  readonly traceparent?: string | undefined;
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
  /** What agents speak and where they are, where nobody says anything else. */
  readonly speechDefaults?: SpeechDefaults | undefined;
  readonly wallNow: () => number;
  readonly hostId: string;
  readonly logger: Logger;
  /** Another host has the session now. */
  readonly onTakenOver?: () => void;
  /** Absent: what is long ago is summed up without a model. */
  readonly writeSummary?: WriteSummary | undefined;
}

export interface OpenedConversation {
  readonly conversation: Conversation;
  readonly resumed: boolean;
  /** The host that had it before has not released it: what was said meanwhile is lost. */
  readonly hasGap: boolean;
}

export async function openConversation(
  request: ConversationRequest,
  sources: ConversationSources,
): Promise<OpenedConversation> {
  const known = await findSession(request, sources.store);
  if (typeof known === "string") {
    return { conversation: await beginConversation(request, sources), resumed: false, hasGap: false };
  }
  try {
    return await resumeConversation(known, request, sources);
  } catch (error) {
    if (toVoiceError(error).code !== "conflict") throw error;
    // The socket that had the session until now has just written its last word.
    const latest = await sources.store.get(known.sessionId);
    if (typeof latest === "string") throw error;
    return resumeConversation(latest, request, sources);
  }
}

/** Whoever has answered a call is talked with, also where nobody can tell whether they were before (CACHE-5). */
async function findSession({ sessionId, callId }: ConversationRequest, store: SessionStore) {
  if (sessionId === undefined) return "unknown";
  try {
    return await store.get(sessionId);
  } catch (error) {
    if (callId === undefined || !isOutage(error)) throw error;
    return "unknown";
  }
}

export function noSuchAgent(): BadRequestError {
  return new BadRequestError("not_found", "The scenario has no such agent.", [
    { field: "agent", message: "no agent of this name in the scenario", code: "not_found" },
  ]);
}

async function resumeConversation(
  known: SessionRecord,
  request: ConversationRequest,
  sources: ConversationSources,
): Promise<OpenedConversation> {
  const { store } = sources;
  requireAccess(request.caller, known.owner, "session");
  const catalog = await sources.compileCatalog(known.sessionId, {
    asked: request.scenario,
    remembered: known.scenario,
  });
  if (request.agent !== undefined && catalog.agent(request.agent) === undefined) throw noSuchAgent();
  const history = await store.history(known.sessionId);
  const startsAfresh = request.startsAfresh ?? false;
  const wanted = request.agent ?? (startsAfresh ? catalog.scenario.startAgent : known.activeAgent);
  const agent = catalog.agent(wanted) ?? catalog.agent(catalog.scenario.startAgent);
  const record = await store.update(known.sessionId, known.version, {
    status: "active",
    hostId: sources.hostId,
    // It goes on over the line that it comes back on.
    channel: request.channel,
    streamingMode: request.streamingMode,
    callConnectionId: request.callConnectionId,
    scenario: catalog.scenario.name,
    activeAgent: agent?.name ?? catalog.scenario.startAgent,
    memory: memoryOf(startsAfresh ? {} : known.memory, request),
    ...(request.userEmail === undefined ? {} : { userEmail: request.userEmail }),
    ...(request.profileId === undefined ? {} : { profileId: request.profileId }),
    ...(startsAfresh ? { visitedAgents: [], knownFrom: undefined, profileId: request.profileId } : {}),
  });
  const conversation = toConversation(record, history, catalog, sources);
  return { conversation, resumed: !startsAfresh, hasGap: known.hostId !== undefined };
}

async function beginConversation(request: ConversationRequest, sources: ConversationSources): Promise<Conversation> {
  const { store } = sources;
  const sessionId = request.sessionId ?? createId("session");
  const catalog = await sources.compileCatalog(sessionId, { asked: request.scenario });
  const agent = catalog.agent(request.agent ?? request.startAgent ?? catalog.scenario.startAgent);
  if (agent === undefined) throw noSuchAgent();
  const record = await store.create({
    sessionId,
    owner: request.owner,
    channel: request.channel,
    streamingMode: request.streamingMode,
    scenario: catalog.scenario.name,
    activeAgent: agent.name,
    visitedAgents: [],
    status: "active",
    memory: memoryOf(memoryOfContext(request.context), request),
    hostId: sources.hostId,
    userEmail: request.userEmail,
    profileId: request.profileId,
    callConnectionId: request.callConnectionId,
    traceparent: request.traceparent,
    createdAtMs: sources.wallNow(),
  });
  return toConversation(record, [], catalog, sources);
}

/** With what the client says of itself, each time it connects. */
function memoryOf(memory: SessionRecord["memory"], { language, timeZone, userEmail }: ConversationRequest) {
  const spoken = language === undefined ? memory : { ...memory, ...memoryOfLanguage(language, memory) };
  const placed = timeZone === undefined ? spoken : { ...spoken, ...memoryOfTimeZone(timeZone) };
  return { ...placed, ...memoryOfUserEmail(userEmail, placed) };
}

function toConversation(
  record: SessionRecord,
  history: readonly HistoryItem[],
  catalog: SessionCatalog,
  { store, logger, onTakenOver, writeSummary, speechDefaults }: ConversationSources,
): Conversation {
  return new Conversation({
    record,
    history,
    catalog,
    speechDefaults,
    store,
    logger,
    onTakenOver,
    writeSummary,
  });
}
