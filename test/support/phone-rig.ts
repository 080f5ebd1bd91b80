/** The whole service with the local telephone network behind it. One per test file: the functions load once a process. */
import { shortEventType } from "@voice/shared/calls/call-transitions";
import { loadSettings } from "@voice/shared/config/load";
import type { Clock } from "@voice/shared/platform/clock";
import { silentLogger } from "@voice/shared/platform/logger";
import type { Logger } from "@voice/shared/platform/logger";
import type { CallStatus } from "@voice/shared/contracts/calls/call-status";
import type { CallRecord } from "@voice/shared/state/ports/call-store";
import type { HistoryItem } from "@voice/shared/state/ports/session-store";
import type { Telemetry } from "@voice/shared/telemetry/telemetry";
import { z } from "zod";
import type { EmulatedCall } from "../../local/emulators/comm/emulated-call.ts";
import type { PhoneEvent } from "../../local/phone/phone-script.ts";
import { startLocalPhoneNetwork } from "../../local/phone-network.ts";
import type { PhoneNetwork, PhoneNetworkOptions } from "../../local/phone-network.ts";
import { startService } from "../../local/service.ts";
import type { Service } from "../../local/service.ts";
import { catalogOf } from "./built-in-catalog.ts";
import { freePort } from "./free-port.ts";
import { neverOverloaded } from "./never-overloaded.ts";
import { wordsAlone } from "./words-alone.ts";
import { noFillers } from "./no-fillers.ts";
import { servicesSpeech } from "./speech-engines.ts";
import { testClock } from "./test-clock.ts";
import { eventually } from "./wait.ts";

export interface PhoneRig {
  readonly network: PhoneNetwork;
  readonly service: Service;
  post(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<Response>;
  /** Resolves with the call's id. */
  initiate(body: Readonly<Record<string, unknown>>): Promise<string>;
  call(callId: string): Promise<CallRecord>;
  /** The call as `GET /calls/` shows it. */
  shown(callId: string): Promise<unknown>;
  /** Resolves when the call's record says so. */
  hasStatus(callId: string, status: CallStatus): Promise<void>;
  /** The types of what is in the call's log, without the vendor's prefix. */
  log(callId: string): Promise<string[]>;
  /** The call as the network has it. */
  emulated(call: CallRecord): EmulatedCall;
  /** The person at the phone hangs up. */
  hangUp(callId: string): Promise<void>;
  /** What was said in the call up to now, tools left out. */
  spoken(callId: string): Promise<string[]>;
  /** What was said in the whole call. Resolves once the conversation is over: its last words are stored after the call. */
  spokenInAll(callId: string): Promise<string[]>;
  close(): Promise<void>;
}

export async function startPhoneRig(
  {
    logger = silentLogger,
    clock = testClock,
    localSpeech = clock === testClock ? servicesSpeech : undefined,
    telemetry,
    ...options
  }: Partial<PhoneNetworkOptions> & {
    readonly logger?: Logger;
    readonly clock?: Clock;
    readonly telemetry?: Telemetry | undefined;
  } = {},
  environment: Readonly<Record<string, string>> = {},
): Promise<PhoneRig> {
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  const network = await startLocalPhoneNetwork({
    baseUrl,
    webhookSecret: "the secret of this network",
    clock,
    localSpeech,
    ...options,
  });
  const settings = loadSettings({
    PORT: `${port}`,
    ...noFillers,
    ...neverOverloaded,
    ...wordsAlone,
    ...network.environment,
    ...environment,
  });
  const catalog = await catalogOf(settings);
  const service = await startService({ settings, logger, clock, telemetry, catalog, localSpeech });
  await network.connect();

  const post: PhoneRig["post"] = (path, body, headers = {}) =>
    fetch(`${baseUrl}/api/v1${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
  const call: PhoneRig["call"] = async (callId) => {
    const record = await service.state.calls.get(callId);
    if (record === undefined) throw new Error("there is no such call");
    return record;
  };
  const emulated: PhoneRig["emulated"] = ({ callConnectionId }) => {
    const found = network.emulator.calls.find(({ id }) => id === callConnectionId);
    if (found === undefined) throw new Error("the network has no such call");
    return found;
  };
  const spoken: PhoneRig["spoken"] = async (callId) => {
    const history = await service.state.sessions.history((await call(callId)).sessionId);
    return history.filter(isSpoken).map(({ role, content }) => `${role}: ${content}`);
  };
  return {
    emulated,
    async hangUp(callId) {
      const record = await call(callId);
      if (options.service !== "twilio") return emulated(record).hangUp("phone");
      network.twilio.calls.find(({ sid }) => sid === record.callConnectionId)?.hangUp("phone");
    },
    network,
    service,
    post,
    async initiate(body) {
      const response = await post("/calls/initiate", body);
      return z.object({ call_id: z.string() }).parse(await response.json()).call_id;
    },
    call,
    async shown(callId) {
      const response = await fetch(`${baseUrl}/api/v1/calls/?limit=100`);
      const { calls } = z
        .object({ calls: z.array(z.looseObject({ call_id: z.string() })) })
        .parse(await response.json());
      return calls.find(({ call_id: id }) => id === callId);
    },
    hasStatus: (callId, status) =>
      eventually(async () => (await call(callId)).status === status, `the call is ${status}`),
    log: async (callId) => (await service.state.calls.events(callId)).map(({ type }) => shortEventType(type)),
    spoken,
    async spokenInAll(callId) {
      await eventually(async () => {
        const session = await service.state.sessions.get((await call(callId)).sessionId);
        return typeof session !== "string" && session.status === "ended";
      }, "the conversation is over");
      return spoken(callId);
    },
    async close() {
      await service.close(0);
      await network.close();
    },
  };
}

export function eventsOf<K extends PhoneEvent["kind"]>(
  kind: K,
  events: readonly PhoneEvent[],
): Extract<PhoneEvent, { kind: K }>[] {
  return events.filter((event): event is Extract<PhoneEvent, { kind: K }> => event.kind === kind);
}

function isSpoken({ role, content }: HistoryItem): boolean {
  return role !== "tool" && content !== "";
}
