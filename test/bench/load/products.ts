/** The measured servers: the streaming host with providers that take no time. */
import { systemClock } from "@voice/shared/platform/clock";
import { silentLogger } from "@voice/shared/platform/logger";
import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import type { NewCall } from "@voice/shared/state/ports/call-store";
import type { State } from "@voice/shared/state/ports/state";
import { loadVoiceActivity } from "@voice/provider-kit/voice-activity/local-voice-activity";
import { loadSpeechModel } from "@voice/provider-kit/voice-activity/speech-model";
import { createVoiceLiveModel } from "@voice/streaming-host/providers/voice-live/realtime-model";
import { startTestHost } from "../../support/test-host.ts";
import { callConnectionId, callSessionId, hookSessionId } from "./wire.ts";
import { InstantModel, MarkedRecogniser, ToneSynthesiser } from "../instant-providers.ts";

/** The conversations of phone calls and those of a telephony platform can be resumed, each with this history. */
const storedTurns = 20;
const storedSessions = 600;

const settings = {
  AGENT_SCENARIO: "banking",
  MAX_SESSIONS: "1000",
  // A machine that is too slow shows it in the figures, not by sending callers away.
  MAX_EVENT_LOOP_DELAY: "60000",
};

export async function startCascade(): Promise<number> {
  const { port } = await startTestHost({
    state: await stateWithHistories("MEDIA", callSessionId, "phone"),
    clock: systemClock,
    settings,
    providers: {
      recogniser: new MarkedRecogniser(),
      synthesiser: new ToneSynthesiser(),
      languageModel: new InstantModel(),
      createVoiceActivityDetector: await loadVoiceActivity(await loadSpeechModel()),
    },
  });
  return port;
}

export function startVoiceLive(serviceUrl: string): Promise<number> {
  return startOnRealtimeService(serviceUrl, callSessionId, "phone");
}

/** What a telephony platform connects to is the same host, with conversations of its own. */
export function startTelephony(serviceUrl: string): Promise<number> {
  return startOnRealtimeService(serviceUrl, hookSessionId, "telephony");
}

async function startOnRealtimeService(
  serviceUrl: string,
  idOf: (index: number) => string,
  channel: "phone" | "telephony",
): Promise<number> {
  const { port } = await startTestHost({
    state: await stateWithHistories("VOICE_LIVE", idOf, channel),
    clock: systemClock,
    settings: { ...settings, ACS_STREAMING_MODE: "VOICE_LIVE" },
    providers: {
      recogniser: new MarkedRecogniser(),
      synthesiser: new ToneSynthesiser(),
      languageModel: new InstantModel(),
      realtimeModel: createVoiceLiveModel({
        endpoint: { url: serviceUrl, model: "instant", credential: { kind: "key", key: "instant" } },
        retry: { maxAttempts: 3, backoffFactor: 2, jitter: true },
        clock: systemClock,
        logger: silentLogger,
      }),
    },
  });
  return port;
}

async function stateWithHistories(
  streamingMode: "MEDIA" | "VOICE_LIVE",
  idOf: (index: number) => string,
  channel: "phone" | "telephony",
): Promise<State> {
  const state = createMemoryState({ clock: systemClock });
  for (let index = 0; index < storedSessions; index++) {
    const sessionId = idOf(index);
    await state.sessions.create({
      sessionId,
      channel,
      streamingMode,
      scenario: "banking",
      activeAgent: "banking-concierge",
      visitedAgents: [],
      status: "ended",
      memory: {},
      createdAtMs: Date.now(),
    });
    const items = Array.from({ length: 2 * storedTurns }, (_, at) => ({
      role: at % 2 === 0 ? ("user" as const) : ("assistant" as const),
      content: `What was said in turn ${at} of session ${index}, which is a sentence of the usual length.`,
      agent: "banking-concierge",
      turnId: `turn-${Math.floor(at / 2)}`,
      timestampMs: Date.now(),
      interrupted: false,
    }));
    await state.sessions.appendTurn(sessionId, { items, appendId: "history" });
    if (channel === "phone") await state.calls.create(callOf(sessionId, index, streamingMode));
  }
  const { history } = state.sessions;
  // A copy, as from a store in another process, so that nothing is shared with it.
  state.sessions.history = async (id) => structuredClone(await history.call(state.sessions, id));
  return state;
}

/** Without a call whose stream it is, the service is refused. */
function callOf(sessionId: string, index: number, streamingMode: "MEDIA" | "VOICE_LIVE"): NewCall {
  return {
    callId: `call-${index}`,
    callConnectionId: callConnectionId(index),
    sessionId,
    status: "connected",
    direction: "inbound",
    targetNumber: "+12025550100",
    callerNumber: "+12025550123",
    context: {},
    scenario: "banking",
    streamingMode,
    recording: false,
    participants: [],
    createdAtMs: Date.now(),
    connectedAtMs: Date.now(),
  };
}
