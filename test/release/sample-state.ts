/** One of everything that a service keeps in Redis, written through the ports, as a running release writes it. */
import type { CallEvent } from "@voice/shared/contracts/events/call-event";
import type { State } from "@voice/shared/state/ports/state";

/** Long after anybody runs this: what is stored with a time of its own is not to be over when it is read. */
const atMs = Date.UTC(2100, 0, 1);

export const sampleIds = { session: "session-sample", call: "call-sample", connection: "connection-sample" };

const turn = { agent: "front-desk", turnId: "turn-1", timestampMs: atMs, interrupted: false };
const call = { id: "call_1", name: "look_up_balance", argumentsJson: '{"account":"checking"}' };
const pool = {
  ready: true,
  warmSize: 1,
  warmTarget: 2,
  activeSessions: 0,
  allocationsTotal: 3,
  allocationsWarm: 2,
  allocationsCold: 1,
  warmupCycles: 1,
  warmupFailures: 0,
};

export async function writeSampleState(state: State): Promise<void> {
  const session = await state.sessions.create({
    sessionId: sampleIds.session,
    channel: "phone",
    streamingMode: "MEDIA",
    scenario: "banking",
    activeAgent: "front-desk",
    visitedAgents: ["front-desk"],
    status: "active",
    callConnectionId: sampleIds.connection,
    memory: { account: "checking", language: "en-US" },
    hostId: "host-sample",
    createdAtMs: atMs,
  });
  await state.sessions.appendTurn(sampleIds.session, {
    items: [
      { ...turn, role: "user", content: "what is my balance" },
      { ...turn, role: "assistant", content: "", toolCalls: [call] },
      { ...turn, role: "tool", content: '{"success":true}', toolCallId: call.id, toolName: call.name },
      { ...turn, role: "assistant", content: "Twelve dollars.", interrupted: true },
    ],
    metrics: { turnId: "turn-1", agent: "front-desk", timestampMs: atMs, marks: { first_audio_ms: 700 } },
    appendId: "append-1",
  });
  await state.sessions.update(sampleIds.session, session.version, {
    recordings: [
      { recordingId: "recording-1", startedAtMs: atMs, sampleRateHz: 16_000, channels: 2, status: "complete" },
    ],
    begunCalls: { turnId: "turn-2", agent: "front-desk", calls: [call] },
  });
  const created = await state.calls.create({
    callId: sampleIds.call,
    status: "initiating",
    direction: "outbound",
    targetNumber: "+12025550123",
    context: { reason: "sample" },
    scenario: "banking",
    streamingMode: "MEDIA",
    recording: true,
    participants: [{ id: "4:+12025550123", phoneNumber: "+12025550123", role: "caller", status: "connected" }],
    sessionId: sampleIds.session,
    createdAtMs: atMs,
  });
  await state.calls.update(sampleIds.call, created.version, {
    status: "connected",
    callConnectionId: sampleIds.connection,
    connectedAtMs: atMs,
  });
  await state.calls.appendEvent(sampleIds.call, {
    eventId: "event-1",
    type: "Microsoft.Communication.CallConnected",
    timestampMs: atMs,
    details: { code: 200 },
  });
  await state.agents.create(sampleIds.session, "own-agent", { prompt: "You are an agent of one session." });
  await state.agents.putOverride("front-desk", 0, { description: "changed" });
  await state.scenarios.create(sampleIds.session, "own-scenario", { agents: ["own-agent"] });
  await state.profiles.create({
    profileId: "profile-sample",
    document: { name: "Sample" },
  });
  await state.mediaSessions.create({
    sessionId: "media-sample",
    callConnectionId: sampleIds.connection,
    sampleRateHz: 16_000,
    channels: 1,
    audioFormat: "pcm_16",
    chunkSizeBytes: 640,
    transcriptionEnabled: true,
    vadEnabled: true,
    status: "active",
    connected: false,
    createdAtMs: atMs,
  });
  await state.hosts.beat({
    hostId: "host-sample",
    version: "1.0.0",
    startedAtMs: atMs,
    draining: false,
    ready: true,
    maxSessions: 300,
    sessions: { phone: 1, browser: 0, media: 0, telephony: 0 },
    connections: { media: 1, browser: 0, telephony: 0, dashboard: 0 },
    totals: { connected: 1, disconnected: 0 },
    pools: { stt: pool, tts: pool },
    mcp: { state: "disabled", servers: [] },
    providers: {},
  });
  for (const event of sampleEvents) await state.events.publish(event);
}

const envelope = { source: "functions", time: new Date(atMs).toISOString(), subject: sampleIds.call };

export const sampleEvents: readonly CallEvent[] = [
  { ...envelope, id: "place:1", type: "call.initiation-requested", data: { call_id: sampleIds.call } },
  {
    ...envelope,
    id: "answer:1",
    type: "call.inbound-received",
    data: { call_id: sampleIds.call, incoming_call_context: "context" },
  },
  {
    ...envelope,
    id: "callback:1",
    type: "call.callback-received",
    data: {
      call_id: sampleIds.call,
      call_connection_id: sampleIds.connection,
      callback_type: "Microsoft.Communication.CallConnected",
      payload: {},
    },
  },
  {
    ...envelope,
    id: "hang-up:1",
    type: "call.termination-requested",
    data: { call_id: sampleIds.call, reason: "normal" },
  },
];
