/** What a call needs to run, and what the request that places it says. */
import type { Clock } from "@voice/shared/platform/clock";
import type { Handset } from "../../phone/handset.ts";
import type { TwilioWebhooks } from "./twilio-webhooks.ts";

/**
 * What Twilio does when a stream breaks without a closing handshake. Its pages say that the verb behind `<Connect>` is executed only after our
 * server has closed the socket (twilio.com/docs/voice/twiml/stream, twilio.com/docs/api/errors/31921), and not whether a broken one
 * (31903) is closed in that sense. So both are emulated.
 */
export type OnBrokenTwilioStream = "goes on" | "says nothing";

export interface EmulatedCallOptions {
  readonly direction: "inbound" | "outbound-api";
  readonly from: string;
  readonly to: string;
  readonly accountSid: string;
  readonly handset: Handset;
  /** Finds the phone that rings at a number to which a call is sent. */
  readonly directory: (number: string) => Handset | "invalid";
  readonly webhooks: TwilioWebhooks;
  readonly clock: Clock;
  /** How long the network lets a phone ring. */
  readonly ringMs: number;
  /** How long after it was sent our audio is heard. */
  readonly delayMs: () => number;
  readonly onBrokenStream: () => OnBrokenTwilioStream;
  /** Twilio's opinion of who answers at a number. */
  readonly answeredBy: (number: string) => string;
}

export interface CallSetup {
  readonly twiml: string;
  readonly statusCallback: string | undefined;
  /** `initiated`, `ringing`, `answered`, `completed`. */
  readonly statusEvents: readonly string[];
  readonly machineCallback: string | undefined;
}
