/** What the command lines of all simulated people have in common: actions in their order, options, help, addresses. */
import { fliteVoices } from "@voice/local-voice/synthesiser/voices";
import { z } from "zod";
import { wholeNumber } from "../command-line/option-kinds.ts";
import { parseToolArguments } from "../command-line/tool-arguments.ts";
import type { Mistake, OptionShape } from "../command-line/tool-arguments.ts";
import { personAction } from "./action.ts";
import type { PersonAction } from "./action.ts";

export type ParsedCommandLine<Settings> =
  | { readonly kind: "run"; readonly actions: readonly PersonAction[]; readonly settings: Settings }
  | { readonly kind: "help" }
  | Mistake;

const texts = z.array(z.string()).optional();

/** Every option that is an action, with text where it takes some; a line offers those that it can carry. */
export const actionOptions = {
  say: texts,
  wav: texts,
  type: texts,
  press: texts,
  dtmf: texts,
  silence: texts,
  listen: z.array(z.boolean()).optional(),
} satisfies OptionShape;

export const helpOfActions = {
  say: "--say TEXT              speak it with a synthetic voice",
  wav: "--wav FILE              speak a recording (WAV, PCM16)",
  type: "--type TEXT             send it as a typed message",
  press: "--press KEYS            press keys: 0-9, *, #, A-D (--dtmf means the same)",
  silence: "--silence MS            say nothing for so long",
  listen: "--listen                say nothing until one more thing was said, such as how a transfer went",
} as const;

export const voiceSetting = z.enum(fliteVoices, `expects one of the voices ${fliteVoices.join(", ")}`);
export const milliseconds = wholeNumber(1, 3_600_000);

/** `localhost:8080` is an address, too: people type it. */
export const serviceAddress = z.string().transform((text, context) => {
  const address = text.includes("://") ? text : `http://${text}`;
  if (URL.canParse(address) && /^(ws|http)s?:/.test(address)) return new URL(address);
  context.addIssue({ code: "custom", message: `is not an address like http://localhost:8080: ${text}` });
  return z.NEVER;
});

export function parseCommandLine<Shape extends OptionShape>(
  argv: readonly string[],
  options: Shape,
): ParsedCommandLine<z.infer<z.ZodObject<Shape>>> {
  const parsed = parseToolArguments(argv, { options });
  if (parsed.kind !== "run") return parsed;
  const actions: PersonAction[] = [];
  // The values do not keep the order in which the actions were mixed.
  for (const { name, value } of parsed.order)
    for (const action of toAction(name, value)) {
      const checked = personAction.safeParse(action);
      if (!checked.success) return { kind: "invalid", message: `--${name} ${checked.error.issues[0]?.message}` };
      actions.push(checked.data);
    }
  return { kind: "run", actions, settings: parsed.values };
}

/** Still to be checked: what stands behind the option is anybody's text. */
function toAction(name: string, value: string | undefined): readonly unknown[] {
  if (name === "listen") return [{ kind: "listen" }];
  if (value === undefined || value.trim() === "") return [];
  switch (name) {
    case "say":
    case "type":
      return [{ kind: name, text: value }];
    case "wav":
      return [{ kind: "play", path: value }];
    case "press":
    case "dtmf":
      return [{ kind: "press", keys: value }];
    case "silence":
      return [{ kind: "wait", durationMs: value }];
    default:
      return [];
  }
}
