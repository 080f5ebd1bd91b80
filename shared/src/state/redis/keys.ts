/**
 * Every key the product uses, except those of small records, which `records/` names. The part in braces decides the cluster
 * slot. All keys of one session are in one slot, so that a script may use them together, while different sessions spread over
 * the slots. Calls share a slot on purpose: a record and the indexes that list it change in one script and can never
 * disagree, and there are only a few writes per call.
 */
import { createHash } from "node:crypto";
import type { CallIndex } from "../ports/call-index.ts";
import type { SessionIndex } from "../ports/session-index.ts";

/** The keys of one queue of work. All are in one slot, so that a script may change them together. */
export interface QueueKeys {
  readonly due: string;
  readonly holders: string;
  /** The key of the pieces that have a content, by the time since when they have waited. */
  readonly waiting: string;
  /** The key of the content of one piece of work. */
  readonly piece: (id: string) => string;
  /** The key of the ids of pieces of work that are withdrawn together. */
  readonly group: (group: string) => string;
}

/** The consumer group of the streams of events. */
export const eventGroup = "call-control";

export const defaultKeyPrefix = "voice:";

export type Keys = ReturnType<typeof createKeys>;

/** All in one slot, because what was counted and its hour change together. */
export function countKeys(prefix: string) {
  return {
    counted: (id: string) => `${prefix}{counts}:counted:${encodeURIComponent(id)}`,
    hour: (number: number, tenant?: string) =>
      `${prefix}{counts}:${tenant === undefined ? "hour" : `tenant:${tenant}`}:${number}`,
  };
}

function sessionKeys(key: (what: string) => string) {
  return {
    record: key("record"),
    turns: key("turns"),
    metrics: key("metrics"),
    agents: key("agents"),
    scenarios: key("scenarios"),
    tombstone: key("tombstone"),
    flight: key("flight"),
    messages: key("messages"),
    requests: key("requests"),
    results: key("results"),
  };
}

export function createKeys(prefix: string) {
  // Encoded, because a brace in an id that a client chose would move the keys of one session to several slots.
  const tag = (id: string) => `{${encodeURIComponent(id)}}`;
  const session = (sessionId: string, what: string) => `${prefix}session:${tag(sessionId)}:${what}`;
  const media = (sessionId: string, what: string) => `${prefix}media:${tag(sessionId)}:${what}`;
  const call = (what: string) => `${prefix}{calls}:${what}`;
  const delivery = (what: string) => `${prefix}{webhooks}:${what}`;
  const event = (what: string) => `${prefix}{events}:${what}`;
  return {
    session: (sessionId: string) => sessionKeys((what) => session(sessionId, what)),
    sessionsByActivity: `${prefix}sessions:by-activity`,
    /** All in one slot, because a session moves between them in one script. */
    sessionIndex: ({ channel, status }: SessionIndex) => `${prefix}{sessions}:${channel ?? "all"}:${status ?? "all"}`,
    /** All in one slot, because a row and its indexes change together. */
    conversation: (sessionId: string) => `${prefix}{conversations}:row:${encodeURIComponent(sessionId)}`,
    conversations: (facet: string) => `${prefix}{conversations}:by:${facet}`,
    conversationLabels: `${prefix}{conversations}:labels`,
    conversationsByEnd: `${prefix}{conversations}:by-end`,
    sessionsOfOwner: (owner: string) => `${prefix}sessions:of:${encodeURIComponent(owner)}`,
    mediaSession: (sessionId: string) => ({
      record: media(sessionId, "record"),
      tombstone: media(sessionId, "tombstone"),
    }),
    call: (callId: string) => ({
      record: call(`record:${callId}`),
      log: call(`log:${callId}`),
      eventIds: call(`event-ids:${callId}`),
    }),
    callByConnection: (connectionId: string) => call(`by-connection:${connectionId}`),
    callOperation: (callId: string, operationContext: string) => {
      const name = `${encodeURIComponent(callId)}:${operationContext}`;
      return { begun: call(`begun:${name}`), outcome: call(`outcome:${name}`) };
    },
    /** Deadlines of one kind for calls. */
    callDeadlines: (kind: string): QueueKeys => ({
      due: call(`due:${kind}`),
      holders: call(`holders:${kind}`),
      waiting: call(`waiting:${kind}`),
      piece: (id) => call(`work:${kind}:${id}`),
      group: (group) => call(`work-of:${kind}:${group}`),
    }),
    callOutcomeChannel: call("outcomes"),
    callsOfOwner: (owner: string) => call(`of:${encodeURIComponent(owner)}`),
    /** Hashed, because key names are visible in places where data is not. */
    callsOfNumber: (number: string) => call(`with:${createHash("sha256").update(number).digest("hex").slice(0, 32)}`),
    callIndex: ({ direction, status, outcome }: CallIndex) => {
      const which = [
        status === undefined ? [] : `by-status:${status}`,
        outcome === undefined ? [] : `by-outcome:${outcome}`,
        direction === undefined ? [] : `by-direction:${direction}`,
      ].flat();
      return call(which.length === 0 ? "by-creation" : which.join(":"));
    },
    agentOverrides: `${prefix}agent-overrides`,
    audit: `${prefix}audit:records`,
    hosts: `${prefix}{hosts}:by-expiry`,
    /** Hosts by the time until which they are remembered once they fall silent, and how many conversations each had. */
    hostsRemembered: `${prefix}{hosts}:remembered`,
    hostSessions: `${prefix}{hosts}:sessions`,
    host: (hostId: string) => `${prefix}{hosts}:host:${hostId}`,
    stream: (eventType: string) => event(`stream:${eventType}`),
    published: (eventId: string) => event(`published:${eventId}`),
    work: (eventId: string) => event(`work:${eventGroup}:${eventId}`),
    handlers: event("handlers"),
    deadLetters: event("dead-letters"),
    /** What is to be delivered outside; named after its first kind, which was the webhooks. */
    deliveries: {
      due: delivery("due"),
      holders: delivery("holders"),
      waiting: delivery("waiting"),
      piece: (id) => delivery(`delivery:${id}`),
      group: (sessionId) => delivery(`of:${encodeURIComponent(sessionId)}`),
    } satisfies QueueKeys as QueueKeys,
    broadcastChannel: (topic: string) => `${prefix}broadcast:${tag(topic)}`,
    liveChannel: (number: number) => `${prefix}live:${number}`,
    /** Where those who begin to listen to live channels say so. */
    liveWatchers: `${prefix}live:watchers`,
    /** The channel on which changes are announced that conversations have to read. */
    changes: `${prefix}changes`,
    probe: (tag: string, processId: string) => `${prefix}probe:{${tag}}:${processId}`,
  };
}
