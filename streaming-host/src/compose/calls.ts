/** Phone calls: call control over the communication service, where the settings name one. */
import type { Catalog } from "@voice/shared/catalog/catalog";
import { withIdentity } from "@voice/shared/config/parts";
import type { EntraCredential } from "@voice/shared/platform/entra-credential";
import type { VoiceError } from "@voice/shared/platform/errors";
import { createUuid } from "@voice/shared/platform/ids";
import type { CallAutomation } from "@voice/provider-kit/ports/call-automation";
import type { Synthesiser } from "@voice/provider-kit/ports/synthesiser";
import type { HostHeartbeat, ProviderStatus } from "@voice/shared/state/ports/host-registry";
import { announcementVoice } from "../calls/announce/announcement-voice.ts";
import { startCallControl } from "../calls/call-control.ts";
import type { CallControl } from "../calls/call-control.ts";
import { reachedStatus } from "./provider-status.ts";
import type { Host } from "../host/host.ts";
import { Reachability } from "../providers/reachability.ts";

type Status = HostHeartbeat["providers"];

export interface ComposedCalls {
  /** Undefined without a communication service. */
  readonly callControl: CallControl | undefined;
  /** For the heartbeat: adds the communication service's status to that of the other providers. */
  readonly withCalls: (others: Status) => Status;
  readonly reachabilities: readonly Reachability[];
}

export async function composeCalls(
  host: Host,
  identity: EntraCredential,
  onFailed: (error: VoiceError) => void,
  catalog: Catalog,
  synthesiser: Synthesiser,
): Promise<ComposedCalls> {
  const calls = await composeCallAutomation(host, identity, onFailed);
  if (calls === undefined) return { callControl: undefined, withCalls: (others) => others, reachabilities: [] };
  const speak = announcementVoice(synthesiser, host.settings);
  const callControl = await startCallControl(host, calls.automation, catalog, speak);
  return {
    callControl,
    withCalls: (others) => ({ ...others, callControl: calls.status(callControl.problem) }),
    reachabilities: [calls.reachability],
  };
}

interface ComposedCallAutomation {
  readonly automation: CallAutomation;
  readonly reachability: Reachability;
  /** For the heartbeat. `reportProblem`: what call control knows to be wrong with the service's reports. */
  readonly status: (reportProblem?: string) => ProviderStatus;
}

/** Undefined without a telephone service: there are no calls then. Every service is imported when it is chosen. */
export async function composeCallAutomation(
  { settings, parts, state, clock, logger }: Pick<Host, "settings" | "parts" | "state" | "clock" | "logger">,
  identity: EntraCredential,
  onFailed: (error: VoiceError) => void = () => undefined,
): Promise<ComposedCallAutomation | undefined> {
  const { calls } = parts;
  if (calls.kind === "none") return undefined;
  const { ServiceHealth } = await import("../providers/call-service-health.ts");
  const wallNow = (): number => clock.wallNow();
  const health = new ServiceHealth(wallNow, onFailed);
  const name = calls.isEmulated ? "local" : calls.kind;
  const { commRequestTimeoutMs: requestTimeoutMs, retryMaxAttempts: maxAttempts } = settings;
  let automation: CallAutomation;
  if (calls.kind === "azure") {
    const { AzureCallAutomation } = await import("../providers/azure/call-automation/call-automation.ts");
    const access = withIdentity(calls.access, identity);
    automation = new AzureCallAutomation({ access, maxAttempts, requestTimeoutMs, wallNow, health });
  } else {
    const { TwilioCallAutomation } = await import("../providers/twilio/call-automation.ts");
    const { TwilioRestClient } = await import("../providers/twilio/rest-client.ts");
    const { apiUrl, accountSid } = calls;
    const client = new TwilioRestClient({ apiUrl, accountSid, authToken: calls.authTokens[0] ?? "", requestTimeoutMs });
    automation = new TwilioCallAutomation({ client, state, settings, wallNow, health });
  }
  // No call has this id: an answer that says so needs valid credentials, and changes nothing.
  const noCall = calls.kind === "azure" ? createUuid() : `CA${createUuid().replaceAll("-", "")}`;
  const reach = async (): Promise<void> => void (await automation.stateOf(noCall));
  const reachability = new Reachability({ service: "the communication service", reach, clock, logger });
  return {
    automation,
    reachability,
    status: (reportProblem) => {
      const error = health.problem ?? reportProblem;
      if (error !== undefined) return { name, healthy: false, error };
      return health.hasAnswered ? { name, healthy: true, basis: "answered" } : reachedStatus(name, reachability.state);
    },
  };
}
