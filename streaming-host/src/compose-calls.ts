/** Phone calls: call control over the communication service, where the settings name one. */
import type { VoiceError } from "@voice/shared/platform/errors";
import type { HostHeartbeat } from "@voice/shared/state/ports/host-registry";
import { startCallControl } from "./calls/call-control.ts";
import type { CallControl, CallControlOptions } from "./calls/call-control.ts";
import { composeCallAutomation } from "./compose-providers.ts";
import type { ProviderParts } from "./provider-parts.ts";

type Status = HostHeartbeat["providers"];

export interface ComposedCalls {
  /** Undefined without a communication service. */
  readonly callControl: CallControl | undefined;
  /** For the heartbeat: that of the other providers, with the communication service's. */
  readonly withCalls: (others: Status) => Status;
}

export async function composeCalls({
  identity,
  onFailed,
  ...options
}: Omit<CallControlOptions, "automation"> &
  Pick<ProviderParts, "identity"> & { readonly onFailed: (error: VoiceError) => void }): Promise<ComposedCalls> {
  const { settings, clock } = options;
  const calls = await composeCallAutomation({ settings, identity, clock, onFailed });
  if (calls === undefined) return { callControl: undefined, withCalls: (others) => others };
  const callControl = await startCallControl({ ...options, automation: calls.automation });
  return {
    callControl,
    withCalls: (others) => ({ ...others, callControl: calls.status(callControl.problem) }),
  };
}
