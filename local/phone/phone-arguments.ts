/** The phone's command line, as data. */
import { fliteVoices } from "@voice/local-voice/synthesiser/voices";
import { z } from "zod";
import { wholeNumber } from "../command-line/option-kinds.ts";
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

const delay = wholeNumber(0, 600_000).optional();
const { say, press, dtmf, silence, listen } = actionOptions;

const options = {
  say,
  press,
  dtmf,
  silence,
  listen,
  url: serviceAddress
    .refine(({ protocol }) => protocol.startsWith("http"), "is no address of a telephone network, which speaks HTTP")
    .prefault(defaultPhoneUrl),
  out: z.string().min(1).optional(),
  inbound: z.boolean().default(false),
  platform: z.boolean().default(false),
  type: z.boolean().default(false),
  stay: z.boolean().default(false),
  voice: voiceSetting.optional(),
  "interrupt-after": delay,
  "pick-up-after": delay,
  machine: z.string().min(1).max(2000).optional(),
};

export type PhoneSettings = z.infer<z.ZodObject<typeof options>>;

export function parsePhoneArguments(argv: readonly string[]): ParsedCommandLine<PhoneSettings> {
  return parseCommandLine(argv, options);
}

export function directionOf({ platform, inbound }: PhoneSettings): PhoneCallRequest["direction"] {
  if (platform) return "platform";
  return inbound ? "inbound" : "outbound";
}
