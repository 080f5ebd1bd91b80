/**
 * Every key the product uses. The part in braces decides the cluster slot: all of one session is in one slot, so that a
 * script may touch it together, and sessions spread. Calls share a slot on purpose: a record and the indexes it is in
 * change in one script and can never disagree, and there are only a few writes per call.
 */
import type { CallStatus } from "../ports/call-store.ts";
import { callStatuses } from "../ports/call-store.ts";

export const defaultKeyPrefix = "voice:";

export type Keys = ReturnType<typeof createKeys>;

export function createKeys(prefix: string) {
  // Encoded, because a brace in an id that a client chose would move the keys of one session to several slots.
  const tag = (id: string) => `{${encodeURIComponent(id)}}`;
  const session = (sessionId: string, what: string) => `${prefix}session:${tag(sessionId)}:${what}`;
  const media = (sessionId: string, what: string) => `${prefix}media:${tag(sessionId)}:${what}`;
  const call = (what: string) => `${prefix}{calls}:${what}`;
  const event = (what: string) => `${prefix}{events}:${what}`;
  return {
    session: (sessionId: string) => ({
      record: session(sessionId, "record"),
      turns: session(sessionId, "turns"),
      metrics: session(sessionId, "metrics"),
      appends: session(sessionId, "appends"),
      agents: session(sessionId, "agents"),
      scenarios: session(sessionId, "scenarios"),
      tombstone: session(sessionId, "tombstone"),
    }),
    sessionsByActivity: `${prefix}sessions:by-activity`,
    mediaSession: (sessionId: string) => ({
      record: media(sessionId, "record"),
      tombstone: media(sessionId, "tombstone"),
    }),
    call: (callId: string) => ({
      record: call(`record:${callId}`),
      log: call(`log:${callId}`),
      eventIds: call(`event-ids:${callId}`),
    }),
    callByConnection: (callConnectionId: string) => call(`by-connection:${callConnectionId}`),
    callsByCreation: call("by-creation"),
    callsByStatus: (status: CallStatus) => call(`by-status:${status}`),
    callStatusIndexes: callStatuses.map((status) => call(`by-status:${status}`)),
    agentOverrides: `${prefix}agent-overrides`,
    profile: (profileId: string) => `${prefix}profile:${profileId}`,
    ticket: (ticket: string) => `${prefix}ticket:${ticket}`,
    nonce: (nonce: string) => `${prefix}nonce:${nonce}`,
    hosts: `${prefix}{hosts}:by-expiry`,
    host: (hostId: string) => `${prefix}{hosts}:host:${hostId}`,
    stream: (domain: string) => event(`stream:${domain}`),
    published: (eventId: string) => event(`published:${eventId}`),
    work: (group: string, eventId: string) => event(`work:${group}:${eventId}`),
    handlers: event("handlers"),
    deadLetters: event("dead-letters"),
    liveChannel: (sessionId: string) => `${prefix}live:${sessionId}`,
    liveChannelPrefix: `${prefix}live:`,
  };
}
