/** Validates what is read back from the store. Each schema has the port's type, which the compiler verifies. */
import { z } from "zod";
import { noPersons, voicemailAnswers } from "../../calls/voicemail.ts";
import { callLogMessage } from "../../contracts/calls/call-log.ts";
import { callStatuses } from "../../contracts/calls/call-status.ts";
import { statusBases } from "../../platform/status-basis.ts";
import { callDirections, failureBases, type CallLogEntry, type CallRecord } from "../ports/call-store.ts";
import { mcpStates, providerKinds, type HostHeartbeat } from "../ports/host-registry.ts";
import { audioFormats, mediaSessionStatuses, type MediaSession } from "../ports/media-session-store.ts";
import { channels, itemAuthors, streamingModes } from "../ports/session-store.ts";
import type { HistoryItem, SessionRecord, SessionRecording, TurnMetrics } from "../ports/session-store.ts";
import type { CallEffect } from "../../tools/tool.ts";

const json = z.record(z.string(), z.unknown());
const text = z.string();
const maybeText = z.string().optional();
const number = z.number();

const usage = z.record(text, z.record(text, number));

const storedToolCall = z.object({ id: text, name: text, argumentsJson: text });

const sessionRecording: z.ZodType<SessionRecording> = z.object({
  recordingId: text,
  startedAtMs: number,
  sampleRateHz: number,
  channels: z.union([z.literal(1), z.literal(2)]),
  status: z.enum(["recording", "complete", "incomplete", "interrupted", "failed"]),
  durationMs: number.optional(),
  lostMs: number.optional(),
});

export const sessionRecord: z.ZodType<SessionRecord> = z.object({
  sessionId: text,
  owner: maybeText,
  channel: z.enum(channels),
  streamingMode: z.enum(streamingModes),
  scenario: text,
  activeAgent: text,
  visitedAgents: z.array(text),
  status: z.enum(["active", "ended"]),
  endReason: maybeText,
  callConnectionId: maybeText,
  profileId: maybeText,
  userEmail: maybeText,
  memory: json,
  knownFrom: number.optional(),
  turnCount: number.optional(),
  release: number.optional(),
  recordings: z.array(sessionRecording).optional(),
  failures: z.array(z.object({ code: text, message: text, timestampMs: number })).optional(),
  recordingAnnounced: z.boolean().optional(),
  usage: usage.optional(),
  deletionBegun: z.boolean().optional(),
  person: z.object({ subject: text, sinceMs: number }).optional(),
  hostId: maybeText,
  claimedAtMs: number.optional(),
  begunCalls: z.object({ turnId: text, agent: text, calls: z.array(storedToolCall) }).optional(),
  traceparent: maybeText,
  createdAtMs: number,
  lastActivityAtMs: number,
  version: number,
});

/** Must list every effect: one that is missing here is not read. */
const callEffects = {
  transfer: z.object({ type: z.literal("transfer"), target: text, reason: text, introduction: maybeText }),
  escalate: z.object({ type: z.literal("escalate"), reason: text, introduction: maybeText }),
  hold: z.object({ type: z.literal("hold"), seconds: number }),
  "send-dtmf": z.object({ type: z.literal("send-dtmf"), digits: text }),
  "hang-up": z.object({ type: z.literal("hang-up"), reason: text }),
} satisfies { readonly [T in CallEffect["type"]]: z.ZodType<Extract<CallEffect, { readonly type: T }>> };

const callEffect = z.union(Object.values(callEffects));

/** Effects that only a newer version knows are left out: the conversation is still readable while both versions run. */
const knownCallEffects = z
  .array(z.unknown())
  .transform((effects) => effects.flatMap((effect) => callEffect.safeParse(effect).data ?? []));

export const historyItem: z.ZodType<HistoryItem> = z.object({
  role: z.enum(["user", "assistant", "tool", "system"]),
  content: text,
  agent: text,
  promptVersion: maybeText,
  turnId: text,
  timestampMs: number,
  begunAtMs: number.optional(),
  interrupted: z.boolean(),
  brokenOff: z.literal(true).optional(),
  cut: z.enum(["length", "content_filter"]).optional(),
  author: z.enum(itemAuthors).optional(),
  guardrails: z.array(text).optional(),
  toolCalls: z.array(storedToolCall).optional(),
  preamble: maybeText,
  toolCallId: maybeText,
  toolName: maybeText,
  effects: knownCallEffects.optional(),
  late: z.literal(true).optional(),
});

export const turnMetrics: z.ZodType<TurnMetrics> = z.object({
  turnId: text,
  agent: text,
  promptVersion: maybeText,
  timestampMs: number,
  marks: z.record(text, number),
  why: z.array(text).optional(),
  usage: usage.optional(),
});

export const callRecord: z.ZodType<CallRecord> = z.object({
  callId: text,
  owner: maybeText,
  callConnectionId: maybeText,
  status: z.enum(callStatuses),
  direction: z.enum(callDirections),
  targetNumber: text,
  targetRawId: maybeText,
  callerNumber: maybeText,
  callerRawId: maybeText,
  context: json,
  scenario: maybeText,
  release: number.optional(),
  agent: maybeText,
  language: maybeText,
  timeZone: maybeText,
  streamingMode: z.enum(streamingModes),
  recording: z.boolean(),
  participants: z.array(z.object({ id: text, phoneNumber: maybeText, role: text, status: text })),
  voicemail: z.enum(voicemailAnswers).optional(),
  answeredBy: z.enum(noPersons).optional(),
  isForgotten: z.boolean().optional(),
  participantsSequence: number.optional(),
  firstAskedAtMs: number.optional(),
  notBegunBecause: maybeText,
  rangAtMs: number.optional(),
  hangUpAtMs: number.optional(),
  hangUpReason: maybeText,
  transferId: maybeText,
  transferBegunAtMs: number.optional(),
  streamFailures: z.array(z.object({ eventId: text, atMs: number, isMended: z.boolean() })).optional(),
  endedByService: z.boolean().optional(),
  missingSinceMs: number.optional(),
  turnedAway: z.boolean().optional(),
  announcement: z.string().optional(),
  holdUntilMs: number.optional(),
  sessionId: text,
  createdAtMs: number,
  connectedAtMs: number.optional(),
  endedAtMs: number.optional(),
  traceparent: maybeText,
  failureCode: maybeText,
  failureBasis: z.enum(failureBases).optional(),
  failureReason: maybeText,
  serviceCode: number.optional(),
  serviceSubCode: number.optional(),
  version: number,
});

export const callLogEntry: z.ZodType<CallLogEntry> = z.intersection(
  callLogMessage,
  z.object({ eventId: text, timestampMs: number }),
);

export const mediaSession: z.ZodType<MediaSession> = z.object({
  sessionId: text,
  owner: maybeText,
  callConnectionId: text,
  sampleRateHz: number,
  channels: number,
  audioFormat: z.enum(audioFormats),
  chunkSizeBytes: number,
  transcriptionEnabled: z.boolean(),
  vadEnabled: z.boolean(),
  status: z.enum(mediaSessionStatuses),
  connected: z.boolean(),
  hostId: maybeText,
  createdAtMs: number,
  version: number,
});

const pool = z.object({
  ready: z.boolean(),
  warmSize: number,
  warmTarget: number,
  activeSessions: number,
  allocationsTotal: number,
  allocationsWarm: number,
  allocationsCold: number,
  warmupCycles: number,
  warmupFailures: number,
});

const mcpState = z.enum(mcpStates);

export const hostHeartbeat: z.ZodType<HostHeartbeat> = z.object({
  hostId: text,
  version: text,
  startedAtMs: number,
  draining: z.boolean(),
  ready: z.boolean(),
  traces: z.boolean().optional(),
  maxSessions: number,
  placesTaken: number.optional(),
  sessions: z.object({ phone: number, browser: number, media: number, telephony: number }),
  connections: z.object({ media: number, browser: number, telephony: number, dashboard: number }),
  totals: z.object({ connected: number, disconnected: number }),
  eventLoop: z.object({ delayMs: number, isOverloaded: z.boolean() }).exactOptional(),
  upstreamFailures: z
    .array(z.object({ part: text, code: text, reason: text.optional(), sessionId: text.optional(), atMs: number }))
    .optional(),
  pools: z.object({ stt: pool, tts: pool }),
  mcp: z.object({
    state: mcpState,
    servers: z.array(z.object({ name: text, state: mcpState, toolsCount: number, error: maybeText })),
  }),
  providers: z.partialRecord(
    z.enum(providerKinds),
    z.object({
      name: text,
      healthy: z.boolean(),
      // A newer version may know more of them.
      basis: z.enum(statusBases).optional().catch(undefined),
      error: maybeText,
      learnt: z.array(text).optional(),
    }),
  ),
});
