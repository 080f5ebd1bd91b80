/** Sockets of every route on a host's conversations, on a virtual clock. */
import { anonymous } from "@voice/shared/auth/caller";
import type { Caller } from "@voice/shared/auth/caller";
import { findCall } from "@voice/shared/calls/find-call";
import type { NamedCall } from "@voice/shared/calls/find-call";
import type { CallRecord, NewCall } from "@voice/shared/state/ports/call-store";
import type { LiveConnection } from "../server/accept/live-connections.ts";
import { callConnectionIdOf } from "../server/accept/service-peer.ts";
import { matchStreamRoute } from "../server/accept/stream-routes.ts";
import { Channels } from "../server/channels/channels.ts";
import { conversationsRig } from "./conversations-rig.ts";
import type { ConversationsRigOptions } from "./conversations-rig.ts";
import { FakeSocket } from "./fake-socket.ts";
import { fakeRequest } from "./fake-upgrade.ts";

export interface OpeningChannel {
  readonly socket: FakeSocket;
  /** Resolves for a telephony platform only after its first message. */
  readonly connection: Promise<LiveConnection>;
  closes: number;
}

export function channelsRig(options: ConversationsRigOptions = {}) {
  const rig = conversationsRig(options);
  const { clock, state, host, conversations } = rig;
  const hangUps: string[] = [];
  const streams: string[] = [];
  /** Calls whose streams are on this host. */
  const carried = new Set<string>();
  const channels = new Channels(host, conversations, {
    findCall: (named: NamedCall) => findCall(state.calls, named),
    callControl: {
      hangUp: async (callConnectionId: string, reason: string) => void hangUps.push(`${callConnectionId} ${reason}`),
      carryStream: (call: CallRecord) => {
        carried.add(call.callId);
        return () => void carried.delete(call.callId);
      },
      recordStream: async (call: CallRecord, callConnectionId: string) =>
        void streams.push(`${call.callId} ${callConnectionId}`),
      timeWithoutHost: async () => undefined,
    },
  });

  function open(
    address: string,
    headers: Readonly<Record<string, string>> = {},
    caller: Caller = anonymous,
  ): OpeningChannel {
    const request = fakeRequest(address, headers);
    const match = matchStreamRoute(new URL(address, "http://host"), callConnectionIdOf(request));
    if (match.type !== "route") throw new Error(`${address} is no route`);
    const socket = new FakeSocket();
    const accepted = { socket, request, caller, onClosed: () => void opening.closes++ };
    const opening = { socket, closes: 0, connection: channels.open(accepted, match.route) };
    return opening;
  }

  async function createCall(changes: Partial<NewCall> = {}): Promise<CallRecord> {
    return state.calls.create({
      callId: "call-1",
      callConnectionId: "connection-1",
      status: "connected",
      direction: "inbound",
      targetNumber: "+12025550123",
      context: {},
      scenario: "banking",
      streamingMode: "MEDIA",
      recording: false,
      participants: [],
      sessionId: "session-of-call-1",
      createdAtMs: clock.wallNow(),
      ...changes,
    });
  }

  async function sessionOf(sessionId: string) {
    const record = await state.sessions.get(sessionId);
    return typeof record === "string" ? undefined : record;
  }

  return { ...rig, open, createCall, sessionOf, hangUps, streams, carried };
}
