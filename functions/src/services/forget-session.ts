/**
 * Deletes everything that is stored of a session, even if one part of it has outlived the others or was stored before them. If several
 * people have used its id one after the other, only what belongs to the owner of the newest conversation that the caller may see is deleted
 * (ACCESS-20).
 */
import { ownerMark } from "@voice/shared/auth/owner-mark";
import { isServiceOperator, mayAccess, requireAccess } from "@voice/shared/auth/caller";
import type { Caller } from "@voice/shared/auth/caller";
import { findMaker } from "@voice/shared/auth/session-owner";
import { recordingsOf } from "@voice/shared/recordings/recording-owner";
import { ownCopyOf } from "@voice/shared/profiles/stored-customers";
import type { SessionRecord, SessionStore } from "@voice/shared/state/ports/session-store";
import type { State } from "@voice/shared/state/ports/state";
import type { Dependencies } from "../dependencies.ts";
import { endLiveConversation } from "./end-live-conversation.ts";
import { requireKnown } from "./require-known.ts";
import { VoiceError } from "@voice/shared/platform/errors";
import { updateSession } from "@voice/shared/state/update-session";

interface Owned {
  readonly owner?: string | undefined;
}

/** Rejects if there is nothing, or if it is not the caller's. */
export async function forgetSession(
  sessionId: string,
  caller: Caller,
  dependencies: Pick<Dependencies, "state" | "recordings" | "archive">,
): Promise<void> {
  const { state } = dependencies;
  const [found, archive] = await Promise.all([state.sessions.get(sessionId), dependencies.archive()]);
  const archived = (await archive?.conversationsOf(sessionId)) ?? [];
  /** The current holder of the id; undefined if there is none. */
  const holder = typeof found === "string" ? await findMaker(sessionId, state) : found;
  const newest = newestOf(holder === undefined ? archived : [holder, ...archived], caller);
  // Only operators may delete recordings whose owner is not known from anything else.
  if (newest === undefined && !isServiceOperator(caller))
    requireKnown(caller.tenant === undefined ? found : "unknown", "session");

  const isHeldByOthers = holder !== undefined && holder !== newest;
  const isLive = typeof found !== "string" && !isHeldByOthers;
  if (isLive) await markDeletion(sessionId, state.sessions);
  const forgetRecordings = async (): Promise<boolean> => {
    const live = typeof found === "string" ? [] : [recordedIn(found)];
    const which = newest && recordingsOf({ sessionId, owner: newest.owner }, [...live, ...archived]);
    return (await (await dependencies.recordings())?.deleteAll(sessionId, which)) ?? false;
  };
  const forgetArchived = async (): Promise<void> => {
    const kept = (await archive?.conversationsOf(sessionId)) ?? [];
    for (const key of kept.filter(({ owner }) => owner === newest?.owner)) await archive?.forget(key);
  };
  const [wasRecorded] = await Promise.all([forgetRecordings(), forgetArchived()]);
  if (newest === undefined && !wasRecorded) requireKnown(found, "session");
  const mark = newest && ownerMark({ sessionId, owner: newest.owner });
  if (isHeldByOthers) return state.webhooks.forgetSession(sessionId, mark);
  // The people are forgotten before the session, which names them, so that a request that fails here can be repeated.
  if (isLive) await forgetPeople(found, state);
  await state.sessions.delete(sessionId);
  // A conversation that ended meanwhile may have been archived and announced. From now on its host finds no session.
  await Promise.all([state.webhooks.forgetSession(sessionId, mark), isLive ? forgetArchived() : undefined]);
  if (isLive) endLiveConversation(found, "deleted", state);
  return undefined;
}

/** Forgets whom a call connected, also in its events. */
export async function forgetCall(callId: string, { calls, events }: Pick<State, "calls" | "events">): Promise<void> {
  await Promise.all([calls.forget(callId), events.forget(callId)]);
}

/** Forgets whom the session's call connected, and deletes the customers that were made for it; others may be in use elsewhere. */
async function forgetPeople(
  { sessionId, callConnectionId, profileId }: SessionRecord,
  { calls, events, profiles }: Pick<State, "calls" | "events" | "profiles">,
): Promise<void> {
  const call = callConnectionId === undefined ? undefined : await calls.getByConnection(callConnectionId);
  if (call !== undefined) await forgetCall(call.callId, { calls, events });
  for (const id of [ownCopyOf(sessionId), ...(profileId === undefined ? [] : [profileId])]) {
    const profile = await profiles.get(id);
    if (profile?.sessionId === sessionId) await profiles.delete(id);
  }
}

/** Rejects if all of them are somebody else's. */
function newestOf(conversations: readonly Owned[], caller: Caller): Owned | undefined {
  const newest = conversations.find(({ owner }) => mayAccess(caller, owner));
  if (newest === undefined) for (const { owner } of conversations) requireAccess(caller, owner, "session");
  return newest;
}

function recordedIn({ owner, recordings = [] }: SessionRecord) {
  return { owner, recordingIds: recordings.map(({ recordingId }) => recordingId) };
}

/**
 * Marks a session before its recordings and its archived conversation are deleted: what a host writes between that and the end of the
 * session's record would otherwise stay for ever (REC-9). If the deletion fails, the session still exists and can be deleted again.
 */
async function markDeletion(sessionId: string, sessions: Pick<SessionStore, "get" | "update">): Promise<void> {
  try {
    await updateSession(sessionId, sessions, ({ deletionBegun }) =>
      deletionBegun === true ? undefined : { deletionBegun: true },
    );
  } catch (error) {
    // Another request has deleted it meanwhile, which hosts find as well.
    if (!(error instanceof VoiceError) || error.code !== "session_expired") throw error;
  }
}
