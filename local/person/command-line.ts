/** What the command lines of all simulated people have in common: actions in their order, options, help, addresses. */
import { parseArgs } from "node:util";
import type { ParseArgsOptionsConfig } from "node:util";
import { fliteVoices } from "@voice/local-voice/synthesiser/voices";
import { z } from "zod";
import { personAction } from "./action.ts";
import type { PersonAction } from "./action.ts";

export type ParsedCommandLine<Settings> =
  | { readonly kind: "run"; readonly actions: readonly PersonAction[]; readonly settings: Settings }
  | { readonly kind: "help" }
  | { readonly kind: "invalid"; readonly message: string };

export interface CommandLine<Settings> {
  readonly options: ParseArgsOptionsConfig;
  /** The shape of the options that are not actions. */
  readonly settings: z.ZodType<Settings>;
}

/** Every option that is an action, with text where it takes some; a line offers those that it can carry. */
export const actionOptions = {
  say: { type: "string", multiple: true },
  wav: { type: "string", multiple: true },
  type: { type: "string", multiple: true },
  press: { type: "string", multiple: true },
  dtmf: { type: "string", multiple: true },
  silence: { type: "string", multiple: true },
  listen: { type: "boolean", multiple: true },
} as const satisfies ParseArgsOptionsConfig;

export const helpOfActions = {
  say: "--say TEXT              speak it with a synthetic voice",
  wav: "--wav FILE              speak a recording (WAV, PCM16)",
  type: "--type TEXT             send it as a typed message",
  press: "--press KEYS            press keys: 0-9, *, #, A-D (--dtmf means the same)",
  silence: "--silence MS            say nothing for so long",
  listen: "--listen                say nothing until one more thing was said, such as how a transfer went",
} as const;

export const voiceSetting = z.enum(fliteVoices, { error: `there are the voices ${fliteVoices.join(", ")}` });
export const milliseconds = z.coerce.number().int().positive().max(3_600_000);

/** `localhost:8080` is an address, too: people type it. */
export const serviceAddress = z.string().transform((text, context) => {
  const address = text.includes("://") ? text : `http://${text}`;
  if (URL.canParse(address) && /^(ws|http)s?:/.test(address)) return new URL(address);
  context.addIssue({ code: "custom", message: `not an address like http://localhost:8080: ${text}` });
  return z.NEVER;
});

export function parseCommandLine<Settings>(
  argv: readonly string[],
  { options, settings }: CommandLine<Settings>,
): ParsedCommandLine<Settings> {
  const given = readOptions(argv, options);
  if (typeof given === "string") return { kind: "invalid", message: given };
  if (given.values["help"] === true) return { kind: "help" };
  const parsed = settings.safeParse(given.values);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    return { kind: "invalid", message: `--${issue?.path.join(".") ?? ""}: ${issue?.message ?? "invalid"}` };
  }
  const actions: PersonAction[] = [];
  for (const { name, action } of given.actions) {
    const checked = personAction.safeParse(action);
    if (!checked.success) return { kind: "invalid", message: `--${name}: ${checked.error.issues[0]?.message}` };
    actions.push(checked.data);
  }
  return { kind: "run", actions, settings: parsed.data };
}

function readOptions(argv: readonly string[], options: ParseArgsOptionsConfig) {
  try {
    const withHelp = { ...options, help: { type: "boolean", short: "h" } } as const satisfies ParseArgsOptionsConfig;
    const { values, tokens } = parseArgs({ args: [...argv], options: withHelp, tokens: true });
    // The tokens keep the order in which the actions were mixed; the values do not.
    const actions = tokens.flatMap((token) => (token.kind === "option" ? toAction(token.name, token.value) : []));
    return { values, actions };
  } catch (error) {
    if (error instanceof TypeError) return error.message;
    throw error;
  }
}

/** Still to be checked: what stands behind the option is anybody's text. */
function toAction(name: string, value: string | undefined): { name: string; action: unknown }[] {
  if (name === "listen") return [{ name, action: { kind: "listen" } }];
  if (value === undefined || value.trim() === "") return [];
  switch (name) {
    case "say":
    case "type":
      return [{ name, action: { kind: name, text: value } }];
    case "wav":
      return [{ name, action: { kind: "play", path: value } }];
    case "press":
    case "dtmf":
      return [{ name, action: { kind: "press", keys: value } }];
    case "silence":
      return [{ name, action: { kind: "wait", durationMs: value } }];
    default:
      return [];
  }
}
