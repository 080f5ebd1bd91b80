/** The caller's command line, as data. */
import { fliteVoices } from "@voice/local-voice/synthesiser/voices";
import { z } from "zod";
import { actionOptions, helpOfActions, milliseconds, parseCommandLine } from "../person/command-line.ts";
import { serviceAddress, voiceSetting } from "../person/command-line.ts";
import type { ParsedCommandLine } from "../person/command-line.ts";

export const callerHelp = `Calls the voice agents as a person would: speaks, listens, answers.

  npm run caller -- --say "I want to check my balance" --say "Thank you"

What to do, in this order, each after the answer to the one before:
  ${helpOfActions.say}
  ${helpOfActions.wav}
  ${helpOfActions.type}
  ${helpOfActions.press}
  ${helpOfActions.silence}
  ${helpOfActions.listen}

  --url URL               the service (ws://127.0.0.1:8080)
  --scenario NAME         the scenario to start in
  --agent NAME            the agent to start with
  --voice NAME            the caller's synthetic voice: ${fliteVoices.join(", ")} (rms)
  --interrupt-after MS    speak over every answer but the last, this long after it becomes audible
  --out FILE              save the call as WAV: caller left, agent right, aligned in time
  --mono                  save the agent only
  --timeout MS            how long an answer may stay away (20000)
  --limit MS              how long the whole call may last (300000)
`;

const conversationPath = "/api/v1/browser/conversation";

const options = {
  ...actionOptions,
  url: serviceAddress.transform(toSocketUrl).prefault("ws://127.0.0.1:8080"),
  voice: voiceSetting.default("rms"),
  out: z.string().min(1).optional(),
  mono: z.boolean().default(false),
  scenario: z.string().min(1).optional(),
  agent: z.string().min(1).optional(),
  "interrupt-after": milliseconds.optional(),
  timeout: milliseconds.default(20_000),
  limit: milliseconds.default(300_000),
};

export type CallerSettings = z.infer<z.ZodObject<typeof options>>;

export function parseCallerArguments(argv: readonly string[]): ParsedCommandLine<CallerSettings> {
  const parsed = parseCommandLine(argv, options);
  if (parsed.kind !== "run" || parsed.actions.length > 0) return parsed;
  return {
    kind: "invalid",
    message: 'nothing to say: give at least one --say "…", --wav FILE, --type "…", --press KEYS or --silence MS',
  };
}

function toSocketUrl(address: URL): URL {
  const url = new URL(address);
  url.protocol = url.protocol.replace("http", "ws");
  if (url.pathname === "/") url.pathname = conversationPath;
  return url;
}
