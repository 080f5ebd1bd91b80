/** The caller's command line, as data. */
import { parseArgs } from "node:util";

import { z } from "zod";

export type CallerLine =
  | { readonly kind: "say"; readonly text: string }
  | { readonly kind: "type"; readonly text: string }
  | { readonly kind: "wav"; readonly path: string }
  | { readonly kind: "dtmf"; readonly keys: string }
  | { readonly kind: "silence"; readonly durationMs: number };

export interface CallerArguments {
  readonly lines: readonly CallerLine[];
  readonly url: URL;
  readonly voice: string;
  readonly out: string | undefined;
  readonly mono: boolean;
  readonly scenario: string | undefined;
  readonly agent: string | undefined;
  readonly interruptAfterMs: number | undefined;
  readonly timeoutMs: number;
  readonly limitMs: number;
}

export type ParsedArguments =
  | { readonly kind: "run"; readonly arguments: CallerArguments }
  | { readonly kind: "help" }
  | { readonly kind: "invalid"; readonly message: string };

export const callerHelp = `Calls the voice agents as a person would: speaks, listens, answers.

  npm run caller -- --say "I want to check my balance" --say "Thank you"

What to say, in this order, each after the answer to the one before:
  --say TEXT              speak it with a synthetic voice
  --wav FILE              speak a recording (WAV, PCM16)
  --type TEXT             send it as a typed message
  --dtmf KEYS             press keys, for instance 1234#
  --silence MS            say nothing for so long

  --url URL               the service (ws://127.0.0.1:8080)
  --scenario NAME         the scenario to start in
  --agent NAME            the agent to start with
  --voice NAME            the caller's synthetic voice (rms)
  --interrupt-after MS    speak over every answer but the last, this long after it becomes audible
  --out FILE              save the call as WAV: caller left, agent right, aligned in time
  --mono                  save the agent only
  --timeout MS            how long an answer may stay away (20000)
  --limit MS              how long the whole call may last (300000)
`;

const CONVERSATION_PATH = "/api/v1/browser/conversation";

const milliseconds = z.coerce.number().int().positive().max(3_600_000);

const values = z.object({
  url: z.string().transform(toSocketUrl),
  voice: z.string().min(1),
  out: z.string().min(1).optional(),
  mono: z.boolean(),
  scenario: z.string().min(1).optional(),
  agent: z.string().min(1).optional(),
  "interrupt-after": milliseconds.optional(),
  dtmf: z.array(z.string().regex(/^[0-9*#A-D]{1,32}$/, "keys are 0 to 9, *, # and A to D")).optional(),
  silence: z.array(milliseconds).optional(),
  timeout: milliseconds,
  limit: milliseconds,
});

const options = {
  say: { type: "string", multiple: true },
  wav: { type: "string", multiple: true },
  type: { type: "string", multiple: true },
  dtmf: { type: "string", multiple: true },
  silence: { type: "string", multiple: true },
  url: { type: "string", default: "ws://127.0.0.1:8080" },
  voice: { type: "string", default: "rms" },
  out: { type: "string" },
  mono: { type: "boolean", default: false },
  scenario: { type: "string" },
  agent: { type: "string" },
  "interrupt-after": { type: "string" },
  timeout: { type: "string", default: "20000" },
  limit: { type: "string", default: "300000" },
  help: { type: "boolean", short: "h" },
} as const;

export function parseCallerArguments(argv: readonly string[]): ParsedArguments {
  const split = splitArguments(argv);
  if (typeof split === "string") return { kind: "invalid", message: split };
  if (split.help) return { kind: "help" };
  const parsed = values.safeParse(split.values);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    return { kind: "invalid", message: `--${issue?.path.join(".") ?? ""}: ${issue?.message ?? "invalid"}` };
  }
  if (split.lines.length === 0)
    return {
      kind: "invalid",
      message: 'nothing to say: give at least one --say "…", --wav FILE, --type "…", --dtmf KEYS or --silence MS',
    };
  const { "interrupt-after": interruptAfterMs, timeout: timeoutMs, limit: limitMs, ...rest } = parsed.data;
  return {
    kind: "run",
    arguments: {
      lines: split.lines,
      url: rest.url,
      voice: rest.voice,
      out: rest.out,
      mono: rest.mono,
      scenario: rest.scenario,
      agent: rest.agent,
      interruptAfterMs,
      timeoutMs,
      limitMs,
    },
  };
}

function splitArguments(argv: readonly string[]) {
  try {
    const { values, tokens } = parseArgs({ args: [...argv], options, tokens: true });
    // The tokens keep the order in which --say, --wav and --type were mixed; the values do not.
    const lines = tokens.flatMap((token) => (token.kind === "option" ? toLine(token.name, token.value) : []));
    return { values, lines, help: values.help === true };
  } catch (error) {
    if (error instanceof TypeError) return error.message;
    throw error;
  }
}

function toLine(option: string, value: string | undefined): CallerLine[] {
  if (value === undefined || value.trim() === "") return [];
  if (option === "dtmf") return [{ kind: "dtmf", keys: value }];
  if (option === "silence") return [{ kind: "silence", durationMs: Number(value) }];
  if (option === "say" || option === "type") return [{ kind: option, text: value }];
  return option === "wav" ? [{ kind: "wav", path: value }] : [];
}

function toSocketUrl(text: string, context: z.RefinementCtx): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^(ws|http)s?:$/.test(url.protocol)) {
    context.addIssue({ code: "custom", message: `not a WebSocket address: ${text}` });
    return z.NEVER;
  }
  url.protocol = url.protocol.replace("http", "ws");
  if (url.pathname === "/") url.pathname = CONVERSATION_PATH;
  return url;
}
