/** The phone's command line, as data. */
import { parseArgs } from "node:util";
import { z } from "zod";
import { defaultPhoneUrl } from "./phone-controls.ts";
import type { PhoneCallRequest } from "./phone-controls.ts";
import type { PhoneAction } from "./phone-script.ts";

export interface PhoneArguments {
  readonly url: URL;
  readonly call: PhoneCallRequest;
  readonly out: string | undefined;
}

export type ParsedPhoneArguments =
  | { readonly kind: "run"; readonly arguments: PhoneArguments }
  | { readonly kind: "help" }
  | { readonly kind: "invalid"; readonly message: string };

export const phoneHelp = `A person with a phone, on the telephone network of a running npm start.

  npm run phone -- --inbound --say "I lost my card" --say "Yes"     calls the service
  npm run phone -- --say "Yes, this is she"                         picks up when the service calls (POST /calls/initiate)
  npm run phone -- --platform --say "I lost my card"                calls it through a telephony platform
  npm run phone -- --machine "This is Pat. Leave me a message."     an answering machine picks up

What to do, in this order, each after the answer to the one before:
  --say TEXT              speak it with a synthetic voice
  --press KEYS            press keys: 0-9, *, #, A-D
  --listen                say nothing until one more thing was said, such as how a transfer went

  --type                  then speak what you type, line by line; keys alone are pressed, and Ctrl-D hangs up

  --inbound               call the service instead of waiting for its call
  --platform              the same, but the call reaches the service through a telephony platform's hook
  --stay                  stay on the line at the end; without it the phone hangs up after the last answer
  --interrupt-after MS    speak over every answer but the last, this long after it becomes audible
  --pick-up-after MS      let it ring this long
  --machine TEXT          an answering machine takes the call: says this, beeps, records and hangs up
  --out FILE              save the call as WAV: phone left, service right
  --url URL               the telephone network (${defaultPhoneUrl})
`;

const milliseconds = z.coerce.number().int().nonnegative().max(600_000);

const values = z.object({
  url: z.url({ protocol: /^https?$/ }).transform((url) => new URL(url)),
  out: z.string().min(1).optional(),
  inbound: z.boolean(),
  platform: z.boolean(),
  type: z.boolean(),
  stay: z.boolean(),
  "interrupt-after": milliseconds.optional(),
  "pick-up-after": milliseconds.optional(),
  machine: z.string().min(1).max(2000).optional(),
});

const options = {
  say: { type: "string", multiple: true },
  press: { type: "string", multiple: true },
  listen: { type: "boolean", multiple: true },
  inbound: { type: "boolean", default: false },
  platform: { type: "boolean", default: false },
  type: { type: "boolean", default: false },
  stay: { type: "boolean", default: false },
  "interrupt-after": { type: "string" },
  "pick-up-after": { type: "string" },
  machine: { type: "string" },
  out: { type: "string" },
  url: { type: "string", default: defaultPhoneUrl },
  help: { type: "boolean", short: "h" },
} as const;

export function parsePhoneArguments(argv: readonly string[]): ParsedPhoneArguments {
  const split = splitArguments(argv);
  if (typeof split === "string") return { kind: "invalid", message: split };
  if (split.help) return { kind: "help" };
  const parsed = values.safeParse(split.values);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    return { kind: "invalid", message: `--${issue?.path.join(".") ?? ""}: ${issue?.message ?? "invalid"}` };
  }
  const { url, out, inbound, platform, stay, type: isTyped, machine: greeting } = parsed.data;
  const { "interrupt-after": interruptAfterMs, "pick-up-after": pickUpAfterMs } = parsed.data;
  const machine = greeting === undefined ? undefined : { greeting, beeps: true };
  return {
    kind: "run",
    arguments: {
      url,
      out,
      call: {
        direction: platform ? "platform" : inbound ? "inbound" : "outbound",
        isTyped,
        script: { actions: split.actions, interruptAfterMs, pickUpAfterMs, staysOnTheLine: stay, machine },
      },
    },
  };
}

/** What somebody types during a call. */
export function typedAction(line: string): PhoneAction | undefined {
  const text = line.trim();
  if (text === "") return undefined;
  return /^[0-9*#A-D]{1,32}$/.test(text) ? { kind: "press", keys: text } : { kind: "say", text: text.slice(0, 2000) };
}

function splitArguments(argv: readonly string[]) {
  try {
    const { values: given, tokens } = parseArgs({ args: [...argv], options, tokens: true });
    // The tokens keep the order in which --say, --press and --listen were mixed; the values do not.
    const actions = tokens.flatMap((token) => (token.kind === "option" ? toAction(token.name, token.value) : []));
    return { values: given, actions, help: given.help === true };
  } catch (error) {
    if (error instanceof TypeError) return error.message;
    throw error;
  }
}

function toAction(option: string, value: string | undefined): PhoneAction[] {
  if (option === "listen") return [{ kind: "listen" }];
  if (value === undefined || value.trim() === "") return [];
  if (option === "say") return [{ kind: "say", text: value }];
  return option === "press" ? [{ kind: "press", keys: value }] : [];
}
