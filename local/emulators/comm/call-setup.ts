/** What a call needs to run, and the options of the request that places or answers it. */
import type { Clock } from "@voice/shared/platform/clock";
import type { Recogniser } from "@voice/provider-kit/ports/recogniser";
import type { Handset } from "../../phone/handset.ts";
import type { CallbackSender } from "./callback-sender.ts";
import type { WantedStream } from "./call-streams.ts";
import type { CallTokens } from "./call-tokens.ts";
import type { OnBrokenStream } from "./call-stream.ts";

export interface EmulatedCallOptions {
  readonly direction: "inbound" | "outbound";
  readonly from: string;
  readonly to: string;
  readonly handset: Handset;
  /** The correlation id of the chain of calls to which this call belongs; a new one if absent. */
  readonly correlationId?: string | undefined;
  readonly tokens: CallTokens;
  readonly clock: Clock;
  readonly sender: CallbackSender;
  /** How long the network lets a phone ring. */
  readonly ringMs: number;
  readonly onBrokenStream: () => OnBrokenStream;
  /** The recogniser with which the service transcribes. */
  readonly recogniser: (() => Promise<Recogniser>) | undefined;
}

export interface CallSetup extends WantedStream {
  readonly callbackUri: string;
  readonly operationContext: string | undefined;
}
