/** Finds the conversation that a client wants to resume, or begins a new one (HS-4, HS-5). */
import { requireAccess, type Caller } from "@voice/shared/auth/caller";
import type { VoicemailAnswer } from "@voice/shared/calls/voicemail";
import type { Party } from "@voice/shared/calls/party";
import type { RouteTarget } from "@voice/shared/catalog/conversation-routes";
import type { SessionCatalog } from "@voice/shared/catalog/session-catalog";
import { contextOf, memoryOfContext } from "@voice/shared/conversation/call-context";
import { historySize } from "@voice/shared/conversation/history-size";
import { languageIn, memoryOfLanguage, memoryOfTimeZone, timeZoneIn } from "@voice/shared/conversation/spoken-language";
import { memoryOfUserEmail } from "@voice/shared/conversation/user-email";
import { withLateResults } from "@voice/shared/conversation/settled-results";
import { BadRequestError, toVoiceError } from "@voice/shared/platform/errors";
import { createId } from "@voice/shared/platform/ids";
import type { Channel, SessionRecord, SessionStore, StreamingMode } from "@voice/shared/state/ports/session-store";
import { isOutage } from "@voice/shared/state/recall";
import type { BilledCall } from "../usage/call-time.ts";
import { Conversation } from "./conversation.ts";
import type { ConversationOptions } from "./conversation-options.ts";
import { openGapSince } from "./takeover-point.ts";

export interface ConversationRequest {
  /** The caller of the request, who may not resume other people's sessions. */
  readonly caller: Caller;
  /** The owner of a new session; absent if it belongs to the operators. */
  readonly owner: string | undefined;
  /** The key for counting resets and guesses; undefined for a service, which acts for many people. */
  readonly client?: string | undefined;
  readonly sessionId?: string | undefined;
  /** The number that was called, if a telephony platform reports it. */
  readonly called?: Party | undefined;
  /** What the table of routes has for a new conversation that names no scenario; undefined if it has nothing. */
  readonly routed?: RoutedConversation | undefined;
  /** The phone number of the other party, if there is one. Personal data. */
  readonly phoneNumber?: string | undefined;
  readonly channel: Channel;
  readonly streamingMode: StreamingMode;
  readonly scenario?: string | undefined;
  /** The published version of a new conversation; that of its share if absent. */
  readonly release?: number | undefined;
  readonly agent?: string | undefined;
  /** The agent for a new conversation; a resumed one stays with its active agent. */
  readonly startAgent?: string | undefined;
  /** The conversation's language; the setting's if absent. */
  readonly language?: string | undefined;
  /** Where the caller is; absent: as the settings say. */
  readonly timeZone?: string | undefined;
  /** Initial memory. */
  readonly context?: Readonly<Record<string, unknown>> | undefined;
  readonly userEmail?: string | undefined;
  readonly profileId?: string | undefined;
  readonly callConnectionId?: string | undefined;
  /** The phone call that carries the conversation. */
  readonly callId?: string | undefined;
  /** How long no host has had that call's audio, in milliseconds; undefined, or absent: not known. Never rejects. */
  readonly timeWithoutHost?: (() => Promise<number | undefined>) | undefined;
  /** The same call, if its time is paid for. */
  readonly billedCall?: BilledCall | undefined;
  /** What to do if an answering machine answers; absent if that is impossible. */
  readonly voicemail?: VoicemailAnswer | undefined;
  /** An answering machine was found on this call before. */
  readonly isMachine?: boolean | undefined;
  /**
   * False: voice activity detection is off, and only the recogniser's words tell when somebody speaks (`enable_vad`).
   */
  readonly detectsVoice?: boolean | undefined;
  /** The setting's value if absent. */
  readonly isRecorded?: boolean | undefined;
  /** The trace context for a new conversation. */
  readonly traceparent?: string | undefined;
  /** Keeps the id and discards the rest: the client changed its request before the first turn (HS-6). */
  readonly startsAfresh?: boolean | undefined;
}

export interface ConversationSources extends Omit<ConversationOptions, "record" | "history" | "catalog"> {
  /** The named scenario, or the default one; rejects with `not_found`. */
  readonly compileCatalog: (
    sessionId: string,
    wish: {
      readonly remembered?: string | undefined;
      readonly asked?: string | undefined;
      readonly release?: number | undefined;
    },
  ) => Promise<SessionCatalog>;
  readonly wallNow: () => number;
  readonly hostId: string;
}

export type RoutedConversation = RouteTarget &
  Pick<ConversationRequest, "language" | "timeZone"> & {
    /** Whose the number is that a telephony platform says was called. */
    readonly tenant?: string | undefined;
  };

/** For how long words of the caller may have been lost, in milliseconds (TAKE-3h, TAKE-3i). */
export type LostTime = number | "unknown";

export interface OpenedConversation {
  readonly conversation: Conversation;
  /** The conversation was begun on another connection. */
  readonly resumed: boolean;
  /** Set where the previous host has not released the session. */
  readonly lostMs?: LostTime | undefined;
}

/** A host that gives a session up has a handful of writes left: of an answer, of the turn and of its end. */
const maxConflicts = 8;

export async function openConversation(
  request: ConversationRequest,
  sources: ConversationSources,
): Promise<OpenedConversation> {
  const { sessionId } = request;
  let found = await findSession(request, sources.store);
  for (let conflicts = 0; ; conflicts++) {
    try {
      if (typeof found !== "string") return await resumeConversation(found, request, sources);
      return { conversation: await beginConversation(request, sources), resumed: false };
    } catch (error) {
      if (sessionId === undefined || conflicts === maxConflicts || !isOvertaken(error)) throw error;
      // The session's previous socket is completing its last writes, or another host has just begun the session.
      found = await sources.store.get(sessionId);
      if (typeof found === "string") throw error;
    }
  }
}

/** The session was changed while it was being opened; a refusal has the same code. */
function isOvertaken(error: unknown): boolean {
  return toVoiceError(error).code === "conflict" && !(error instanceof BadRequestError);
}

/**
 * A person on an answered call is talked to even if the store cannot tell whether the conversation existed before
 * (CACHE-5).
 */
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
    release: known.release,
  });
  if (request.agent !== undefined && catalog.agent(request.agent) === undefined) throw noSuchAgent();
  await requireRoom(known, request, sources);
  const startsAfresh = request.startsAfresh ?? false;
  const wanted = request.agent ?? (startsAfresh ? catalog.scenario.startAgent : known.activeAgent);
  const agent = catalog.agent(wanted) ?? catalog.agent(catalog.scenario.startAgent);
  const isReleased = known.hostId === undefined;
  const { takenOverAtMs = [] } = known;
  const nowMs = Math.max(sources.wallNow(), (known.claimedAtMs ?? 0) + 1);
  const record = await store.update(known.sessionId, known.version, {
    status: "active",
    hostId: sources.hostId,
    claimedAtMs: nowMs,
    ...(!isReleased && { takenOverAtMs: [...takenOverAtMs, nowMs].slice(-maxTakeovers) }),
    // The conversation continues on the line on which it is resumed.
    channel: request.channel,
    streamingMode: request.streamingMode,
    callConnectionId: request.callConnectionId,
    scenario: catalog.scenario.name,
    activeAgent: agent?.name ?? catalog.scenario.startAgent,
    memory: memoryOf(startsAfresh ? {} : keptMemory(known, request), request),
    ...(request.userEmail === undefined ? {} : { userEmail: request.userEmail }),
    ...(request.profileId === undefined ? {} : { profileId: request.profileId }),
    ...(startsAfresh ? { visitedAgents: [], knownFrom: undefined, profileId: request.profileId } : {}),
  });
  // Read when the session is taken: what its previous host writes from now on is marked.
  const [stored, withoutHostMs = "unknown"] = await Promise.all([
    store.history(known.sessionId),
    isReleased ? undefined : request.timeWithoutHost?.(),
  ]);
  const lostSinceMs = openGapSince(takenOverAtMs, stored);
  const lostMs = lostSinceMs === undefined ? withoutHostMs : nowMs - lostSinceMs;
  const history = withLateResults(stored);
  const conversation = new Conversation({ ...sources, record, history, catalog });
  // One that was begun over HTTP, by a reset, has not been on any host.
  const resumed = !startsAfresh && (known.claimedAtMs !== undefined || history.length > 0);
  return { conversation, resumed, ...(!isReleased && { lostMs }) };
}

/** How many takeovers are remembered: more than happen before anybody can be asked what was lost. */
const maxTakeovers = 4;

/** Each recording, one per connection, is listed in the session's record, which is rewritten with every change. */
const maxRecordings = 1000;

/** FR-8: a caller on the phone is told goodbye instead. */
async function requireRoom(
  { sessionId, recordings = [] }: SessionRecord,
  { channel }: ConversationRequest,
  { store, historyLimit: limit }: ConversationSources,
): Promise<void> {
  if (channel === "phone" || limit === undefined) return;
  const size = historySize(await store.history(sessionId));
  if (size < limit.maxCharacters && recordings.length < maxRecordings) return;
  throw new BadRequestError(
    "conflict",
    `The session has as much history (${limit.maxCharacters} characters) or as many recordings (${maxRecordings}) as a session may have; begin a new one.`,
  );
}

async function beginConversation(request: ConversationRequest, sources: ConversationSources): Promise<Conversation> {
  const { store } = sources;
  const sessionId = request.sessionId ?? createId("session");
  const routed = request.scenario === undefined ? request.routed : undefined;
  const catalog = await sources.compileCatalog(sessionId, {
    asked: request.scenario ?? routed?.scenario,
    release: request.release,
  });
  // A scenario that was compiled for the session takes precedence over that of the table of routes.
  const isRouted = routed?.scenario.toLowerCase() === catalog.scenario.name.toLowerCase();
  const routedAgent = isRouted ? routed?.agent : undefined;
  const agent = catalog.agent(request.agent ?? request.startAgent ?? routedAgent ?? catalog.scenario.startAgent);
  if (agent === undefined) throw noSuchAgent();
  const nowMs = sources.wallNow();
  const record = await store.create({
    sessionId,
    owner: request.owner,
    channel: request.channel,
    streamingMode: request.streamingMode,
    scenario: catalog.scenario.name,
    release: catalog.release ?? 0,
    activeAgent: agent.name,
    visitedAgents: [],
    status: "active",
    memory: memoryOf(memoryOfContext(request.context), {
      ...request,
      language: request.language ?? routed?.language,
      timeZone: request.timeZone ?? routed?.timeZone,
    }),
    hostId: sources.hostId,
    claimedAtMs: nowMs,
    userEmail: request.userEmail,
    profileId: request.profileId,
    callConnectionId: request.callConnectionId,
    traceparent: request.traceparent,
    createdAtMs: nowMs,
  });
  return new Conversation({ ...sources, record, history: [], catalog });
}

/** What was learned of one customer, such as who proved to be calling, says nothing of another (CUSTOMER-6). */
function keptMemory({ memory, profileId: before }: SessionRecord, { profileId }: ConversationRequest) {
  if (profileId === undefined || profileId === before) return memory;
  const [language, zone] = [languageIn(memory), timeZoneIn(memory)];
  return {
    ...memoryOfContext(contextOf(memory)),
    ...(language === undefined ? {} : memoryOfLanguage(language, memory)),
    ...(zone === undefined ? {} : memoryOfTimeZone(zone)),
  };
}

/** Merges the client's statements about itself each time it connects. */
function memoryOf(memory: SessionRecord["memory"], { language, timeZone, userEmail }: ConversationRequest) {
  const spoken = language === undefined ? memory : { ...memory, ...memoryOfLanguage(language, memory) };
  const placed = timeZone === undefined ? spoken : { ...spoken, ...memoryOfTimeZone(timeZone) };
  return { ...placed, ...memoryOfUserEmail(userEmail, placed) };
}
