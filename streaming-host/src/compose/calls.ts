/** Phone calls: call control over the communication service, where the settings name one. */
import type { EntraCredential } from "@voice/shared/platform/entra-credential";
import type { VoiceError } from "@voice/shared/platform/errors";
import type { Synthesiser } from "@voice/provider-kit/ports/synthesiser";
import type { HostHeartbeat } from "@voice/shared/state/ports/host-registry";
import { announcementVoice } from "../calls/announce/announcement-voice.ts";
import { startCallControl } from "../calls/call-control.ts";
import type { CallControl, CallControlOptions } from "../calls/call-control.ts";
import { composeCallAutomation } from "./providers.ts";
import type { Host } from "../host/host.ts";
import type { Reachability } from "../providers/reachability.ts";

type Status = HostHeartbeat["providers"];

export interface ComposedCalls {
  /** Undefined without a communication service. */
  readonly callControl: CallControl | undefined;
  /** For the heartbeat: that of the other providers, with the communication service's. */
  readonly withCalls: (others: Status) => Status;
  readonly reachabilities: readonly Reachability[];
}

export async function composeCalls(
  host: Host,
  identity: EntraCredential,
  onFailed: (error: VoiceError) => void,
  { catalog, synthesiser }: Pick<CallControlOptions, "catalog"> & { readonly synthesiser: Synthesiser },
): Promise<ComposedCalls> {
  const { settings, clock, logger } = host;
  const calls = await composeCallAutomation({ settings, identity, clock, logger, onFailed });
  if (calls === undefined) return { callControl: undefined, withCalls: (others) => others, reachabilities: [] };
  const speak = announcementVoice(synthesiser, settings);
  const callControl = await startCallControl(host, { catalog, speak, automation: calls.automation });
  return {
    callControl,
    withCalls: (others) => ({ ...others, callControl: calls.status(callControl.problem) }),
    reachabilities: [calls.reachability],
  };
}
