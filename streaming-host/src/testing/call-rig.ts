/** Call control on a virtual clock, with a communication service that records its requests. */
import { changeByCallback, logEntryOf, settledByCallback, type Callback } from "@voice/shared/calls/apply-callback";
import { loadSettings } from "@voice/shared/config/load";
import type { Settings } from "@voice/shared/config/settings";
import type { CallReport } from "@voice/shared/contracts/calls/call-report";
import { toReportedResult } from "@voice/shared/calls/azure/azure-event";
import { callEvent } from "@voice/shared/contracts/events/call-event";
import type { CallEvent } from "@voice/shared/contracts/events/call-event";
import type { VoiceError } from "@voice/shared/platform/errors";
import { silentLogger } from "@voice/shared/platform/logger";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import type { CallStatus } from "@voice/shared/contracts/calls/call-status";
import type { CallRecord, NewCall } from "@voice/shared/state/ports/call-store";
import type { HostHeartbeat } from "@voice/shared/state/ports/host-registry";
import { updateWithRetry } from "@voice/shared/state/update-with-retry";
import type { LanguagesOfCatalog } from "../calls/announce/call-language.ts";
import { createHost } from "../host/host.ts";
import { startCallControl, type CallControl } from "../calls/call-control.ts";
import type { CallAutomation, CallServiceState, ListedParticipant } from "@voice/provider-kit/ports/call-automation";
import { emptyPool } from "@voice/provider-kit/ports/empty-pool";

export interface HeardDetails {
  /** Defaults to the event's own name, so that it is sent once. */
  readonly eventId?: string;
  readonly context?: string;
  readonly code?: number;
  readonly connectionId?: string | undefined;
  /** What else the service reports. */
  readonly content?: Pick<CallReport, "participant" | "participants" | "sequenceNumber">;
}

type Request = { readonly operation: keyof CallAutomation; readonly details: Readonly<Record<string, unknown>> };

const environment = {
  BASE_URL: "https://voice.example.com",
  COMM_CONNECTION_STRING: "endpoint=https://comm.example.com/;accesskey=a2V5",
  COMM_PHONE_NUMBER: "+12025550100",
  COMM_RESOURCE_ID: "11111111-1111-4111-8111-111111111111",
  COMM_WEBHOOK_SECRET: "open sesame",
  COMM_DESTINATIONS: "person=+12025550150",
  CALL_ALLOWED_DESTINATIONS: "US",
};
/** The settings of all rigs, by what differs in them: a model of calls starts thousands of rigs, and reading settings takes most of a start. */
const settingsByChange = new Map<string, Settings>();

function settingsWith(change: Readonly<Record<string, string>>): Settings {
  const key = JSON.stringify(change);
  const found = settingsByChange.get(key) ?? loadSettings({ ...environment, ...change });
  settingsByChange.set(key, found);
  return found;
}

export const settings = settingsWith({});

/** One second at 16 kHz. */
const spokenSamples = 16_000;

function hostWith(maxSessions: number): HostHeartbeat {
  return {
    hostId: "host-1",
    version: "1",
    startedAtMs: 0,
    draining: false,
    ready: true,
    maxSessions,
    placesTaken: 0,
    sessions: { phone: 0, browser: 0, media: 0, telephony: 0 },
    connections: { media: 0, browser: 0, telephony: 0, dashboard: 0 },
    totals: { connected: 0, disconnected: 0 },
    pools: { stt: emptyPool, tts: emptyPool },
    mcp: { state: "disabled", servers: [] },
    providers: {},
  };
}

export async function startCallRig(
  change: Readonly<Record<string, string>> = {},
  catalog: LanguagesOfCatalog = { agents: new Map(), scenarios: new Map() },
) {
  const clock = new VirtualClock();
  const state = createMemoryState({ clock, logger: silentLogger });
  const requests: Request[] = [];
  /** How the service answers the next requests; after these it accepts everything. */
  const failures: VoiceError[] = [];
  let serviceState: CallServiceState = "connected";
  let reopensStreams = false;
  let listed: readonly ListedParticipant[] = [];
  let onRequest: (request: Request, isRefused: boolean) => Promise<void> = async () => undefined;

  async function take(operation: keyof CallAutomation, details: Readonly<Record<string, unknown>>): Promise<void> {
    const request = { operation, details };
    requests.push(request);
    const refusal = failures.shift();
    await onRequest(request, refusal !== undefined);
    const failure = refusal ?? failures.shift();
    if (failure !== undefined) throw failure;
  }
  const automation: CallAutomation = {
    answerWithinMs: 30_000,
    canAddParticipants: true,
    get reopensStreams() {
      return reopensStreams;
    },
    async place(call) {
      await take("place", { ...call });
      serviceState = "connecting";
      return { callConnectionId: `connection-${call.callId}` };
    },
    async answer(call) {
      await take("answer", { ...call });
      return { callConnectionId: `connection-${call.callId}` };
    },
    reject: (request) => take("reject", { ...request }),
    redirect: (request) => take("redirect", { ...request }),
    async play(request) {
      await take("play", { ...request });
      const { operationContext } = request;
      clock.setTimer(
        1000,
        () => void state.callOperations.settle({ callId: "call-1", operationContext }, { ok: true }),
      );
    },
    async addParticipant(request) {
      await take("addParticipant", { ...request });
      return { invitationId: `invitation-of-${request.operationContext}` };
    },
    cancelInvitation: (request) => take("cancelInvitation", { ...request }),
    removeParticipant: (request) => take("removeParticipant", { ...request }),
    leave: (request) => take("leave", { ...request }),
    async hangUp(request) {
      await take("hangUp", { ...request });
      serviceState = "gone";
    },
    transfer: (request) => take("transfer", { ...request }),
    sendDigits: (request) => take("sendDigits", { ...request }),
    hold: (request) => take("hold", { ...request }),
    unhold: (request) => take("unhold", { ...request }),
    async stateOf(callConnectionId) {
      await take("stateOf", { callConnectionId });
      return serviceState;
    },
    async participantsOf(callConnectionId) {
      await take("participantsOf", { callConnectionId });
      return listed;
    },
    async startStream(callConnectionId, kind) {
      await take("startStream", { callConnectionId, kind });
      return "opening";
    },
  };
  /** The words that were synthesised; hosts also prepare words that they may need. */
  const said: string[] = [];
  /** The language of each. */
  const languages: string[] = [];
  let maxSessions = 10;
  Object.assign(state.hosts, { list: async () => [hostWith(maxSessions)] });
  const settingsOfRig = settingsWith(change);
  const startHost = (): Promise<CallControl> =>
    startCallControl(
      createHost({ id: "host-1", settings: settingsOfRig, state, clock, logger: silentLogger }),
      automation,
      catalog,
      async (text, language) => {
        said.push(text);
        languages.push(language);
        return new Int16Array(spokenSamples);
      },
    );
  const control = await startHost();
  await clock.advanceAsync(1);
  said.length = 0;
  languages.length = 0;

  async function settle(ms = 0): Promise<void> {
    await clock.advanceAsync(Math.max(ms, 5), ms > 1000 ? 250 : 1);
  }
  async function create(change: Partial<NewCall> = {}): Promise<CallRecord> {
    return state.calls.create({
      callId: "call-1",
      status: "initiating",
      direction: "outbound",
      targetNumber: "+12025550123",
      context: {},
      streamingMode: "MEDIA",
      recording: false,
      participants: [],
      sessionId: "session-1",
      createdAtMs: clock.wallNow(),
      ...change,
    });
  }
  async function publish<T extends CallEvent["type"]>(
    id: string,
    type: T,
    data: Extract<CallEvent, { type: T }>["data"],
  ): Promise<void> {
    const time = new Date(clock.wallNow()).toISOString();
    const event = { id, type, source: "test", time, subject: "call-1", data };
    await state.events.publish(callEvent.parse(event));
    await settle();
  }
  return {
    clock,
    state,
    said,
    languages,
    requests,
    failures,
    control,
    startAnotherHost: startHost,
    settle,
    create,
    publish,
    /** The service's report about the call, handled as in the functions app: stored, then passed on. */
    async hear(
      event: string,
      { eventId = event, context, code = 200, connectionId = "connection-1", content = {} }: HeardDetails = {},
    ): Promise<void> {
      if (event === "CallConnected") serviceState = "connected";
      const callback: Callback = {
        eventId,
        type: `Microsoft.Communication.${event}`,
        atMs: clock.wallNow(),
        connectionId,
        content: { ...content, operationContext: context, result: toReportedResult({ code }) },
      };
      await updateWithRetry({
        read: () => this.record(),
        decide: (record) => changeByCallback(record, callback),
        write: (record, change) => state.calls.update(record.callId, record.version, change),
      });
      const settled = settledByCallback(callback);
      if (settled !== undefined)
        await state.callOperations.settle(
          { callId: "call-1", operationContext: settled.operationContext },
          settled.outcome,
        );
      const payload = { ...callback.content };
      const data = { call_id: "call-1", call_connection_id: connectionId, callback_type: callback.type, payload };
      await publish(`callback:${eventId}`, "call.callback-received", data);
      await state.calls.appendEvent("call-1", {
        eventId,
        timestampMs: callback.atMs,
        ...logEntryOf(callback, await this.record()),
      });
    },
    place: () => publish("place:call-1", "call.initiation-requested", { call_id: "call-1" }),
    terminate: () => publish("hang-up:1", "call.termination-requested", { call_id: "call-1", reason: "normal" }),
    during: (action: (request: Request, isRefused: boolean) => Promise<void>) => {
      onRequest = action;
    },
    async record(): Promise<CallRecord> {
      const record = await state.calls.get("call-1");
      if (record === undefined) throw new Error("there is no call");
      return record;
    },
    async become(status: CallStatus): Promise<void> {
      const { version } = await this.record();
      await state.calls.update("call-1", version, { status, connectedAtMs: clock.wallNow() });
    },
    /** From now on the hosts have this many free places. */
    leavePlaces(count: number): void {
      maxSessions = count;
    },
    /** The service's answer when it is asked about the call. */
    serviceSays(state: CallServiceState): void {
      serviceState = state;
    },
    /** The service opens a failed stream again by itself, as Twilio does. */
    serviceReopensStreams(): void {
      reopensStreams = true;
    },
    /** The participants that the service reports when it is asked. */
    serviceLists(participants: readonly ListedParticipant[]): void {
      listed = participants;
    },
    repetitions: () => requests.map(({ details }) => details["repetition"]),
    operations: () => requests.map(({ operation }) => operation),
  };
}
export type CallRig = Awaited<ReturnType<typeof startCallRig>>;

/** A call in mid-conversation; `tell` reports how an operation went. */
export async function startConnectedCall(change: Readonly<Record<string, string>> = {}) {
  const rig = await startCallRig(change);
  await rig.create({ status: "connected", callConnectionId: "connection-1" });
  const tell = (event: string, context: string, code = 200): Promise<void> =>
    rig.hear(event, { eventId: `${event}-${context}`, context, code });
  return { ...rig, tell };
}
