/** The phone's command line, as data. */
import { fliteVoices } from "@voice/local-voice/synthesiser/voices";
import { z } from "zod";
import { actionOptions, helpOfActions, parseCommandLine } from "../person/command-line.ts";
import { serviceAddress, voiceSetting } from "../person/command-line.ts";
import type { ParsedCommandLine } from "../person/command-line.ts";
import { defaultPhoneUrl } from "./phone-controls.ts";
import type { PhoneCallRequest } from "./phone-controls.ts";

export const phoneHelp = `A person with a phone, on the telephone network of a running npm start.

  npm run phone -- --inbound --say "I lost my card" --say "Yes"     calls the service
  npm run phone -- --say "Yes, this is she"                         picks up when the service calls (POST /calls/initiate)
  npm run phone -- --platform --say "I lost my card"                calls it through a telephony platform
  npm run phone -- --machine "This is Pat. Leave me a message."     an answering machine picks up

What to do, in this order, each after the answer to the one before:
  ${helpOfActions.say}
  ${helpOfActions.press}
  ${helpOfActions.silence}
  ${helpOfActions.listen}

  --type                  then speak what you type, line by line; keys alone are pressed, and Ctrl-D hangs up

  --inbound               call the service instead of waiting for its call
  --platform              the same, but the call reaches the service through a telephony platform's hook
  --stay                  stay on the line at the end; without it the phone hangs up after the last answer
  --voice NAME            the person's synthetic voice: ${fliteVoices.join(", ")} (slt)
  --interrupt-after MS    speak over every answer but the last, this long after it becomes audible
  --pick-up-after MS      let it ring this long
  --machine TEXT          an answering machine takes the call: says this, beeps, records and hangs up
  --out FILE              save the call as WAV: phone left, service right
  --url URL               the telephone network (${defaultPhoneUrl})
`;

const delay = z.coerce.number().int().nonnegative().max(600_000);

const settings = z
  .object({
    url: serviceAddress.refine(({ protocol }) => protocol.startsWith("http"), "the telephone network speaks HTTP"),
    out: z.string().min(1).optional(),
    inbound: z.boolean(),
    platform: z.boolean(),
    type: z.boolean(),
    stay: z.boolean(),
    voice: voiceSetting.optional(),
    "interrupt-after": delay.optional(),
    "pick-up-after": delay.optional(),
    machine: z.string().min(1).max(2000).optional(),
  })
  .transform(({ "interrupt-after": interruptAfterMs, "pick-up-after": pickUpAfterMs, type: isTyped, ...others }) => ({
    ...others,
    isTyped,
    interruptAfterMs,
    pickUpAfterMs,
  }));

export type PhoneSettings = z.infer<typeof settings>;

const { say, press, dtmf, silence, listen } = actionOptions;

const options = {
  say,
  press,
  dtmf,
  silence,
  listen,
  inbound: { type: "boolean", default: false },
  platform: { type: "boolean", default: false },
  type: { type: "boolean", default: false },
  stay: { type: "boolean", default: false },
  voice: { type: "string" },
  "interrupt-after": { type: "string" },
  "pick-up-after": { type: "string" },
  machine: { type: "string" },
  out: { type: "string" },
  url: { type: "string", default: defaultPhoneUrl },
} as const;

export function parsePhoneArguments(argv: readonly string[]): ParsedCommandLine<PhoneSettings> {
  return parseCommandLine(argv, { options, settings });
}

export function directionOf({ platform, inbound }: PhoneSettings): PhoneCallRequest["direction"] {
  if (platform) return "platform";
  return inbound ? "inbound" : "outbound";
}
