/** The command line of a tool: prints its help on demand; for a mistake it prints the mistake and the help, with exit code 2. */
import { parseArgs } from "node:util";
import type { ParseArgsOptionsConfig } from "node:util";
import { z } from "zod";

/** By name, without dashes. A boolean is a flag, an array is an option that may be repeated, and anything else is read from text. */
export type OptionShape = Readonly<Record<string, z.ZodType>>;

export interface Tool<Shape extends OptionShape> {
  /** As it is started: `npm run doctor`. */
  readonly name: string;
  readonly help: string;
  readonly options?: Shape;
  /** Whether there may be arguments that are no options; refused where absent. */
  readonly allowPositionals?: boolean;
}

interface GivenArguments<Shape extends OptionShape> {
  readonly values: z.infer<z.ZodObject<Shape>>;
  readonly positionals: readonly string[];
  /** The options in the order in which they were given. */
  readonly order: readonly { readonly name: string; readonly value: string | undefined }[];
}

export interface Mistake {
  readonly kind: "invalid";
  readonly message: string;
}

export type ToolArguments<Shape extends OptionShape> =
  | ({ readonly kind: "run" } & GivenArguments<Shape>)
  | { readonly kind: "help" }
  | Mistake;

const exitUsage = 2;

export function parseToolArguments<Shape extends OptionShape>(
  argv: readonly string[],
  { options, allowPositionals = false }: Pick<Tool<Shape>, "options" | "allowPositionals">,
): ToolArguments<Shape> {
  // Wherever it stands, and whatever else is wrong.
  if (argv.includes("--help") || argv.includes("-h")) return { kind: "help" };
  const given = readOptions(argv, options ?? {}, allowPositionals);
  if ("kind" in given) return given;
  const checked = z.object(options).safeParse(given.values);
  if (!checked.success) return { kind: "invalid", message: firstIssue(checked.error) };
  const order = given.tokens.flatMap((token) => (token.kind === "option" ? [token] : []));
  return { kind: "run", values: checked.data, positionals: given.positionals, order };
}

function readOptions(argv: readonly string[], shape: OptionShape, allowPositionals: boolean) {
  const allowNegative = Object.values(shape).some((field) => field.safeParse(undefined).data === true);
  const options = Object.fromEntries(Object.entries(shape).map(([name, field]) => [name, describeOption(field)]));
  try {
    return parseArgs({ args: [...argv], options, allowPositionals, allowNegative, tokens: true });
  } catch (error) {
    if (error instanceof TypeError) return { kind: "invalid", message: mistakeOf(error) } as const;
    throw error;
  }
}

function describeOption(field: z.core.$ZodType): ParseArgsOptionsConfig[string] {
  if (field instanceof z.ZodOptional || field instanceof z.ZodDefault || field instanceof z.ZodPrefault)
    return describeOption(field.unwrap());
  if (field instanceof z.ZodArray) return { ...describeOption(field.element), multiple: true };
  return { type: field instanceof z.ZodBoolean ? "boolean" : "string" };
}

function firstIssue({ issues: [issue] }: z.ZodError): string {
  return `--${issue?.path[0]?.toString()} ${issue?.message}`;
}

/** Without what Node advises about arguments that begin with a dash, which no tool takes. */
function mistakeOf({ message }: TypeError): string {
  return message.replace(/\. To specify a positional argument.*$/s, "");
}

/** Ends the process where there is nothing to run. */
export function readToolArguments<Shape extends OptionShape = Record<string, never>>(
  tool: Tool<Shape>,
): GivenArguments<Shape> {
  return argumentsToRun(tool, parseToolArguments(process.argv.slice(2), tool));
}

/** Prints the help or the mistake and ends the process, unless there is something to run. */
export function argumentsToRun<Run extends { readonly kind: "run" | "kill" }>(
  tool: { readonly name: string; readonly help: string },
  parsed: Run | { readonly kind: "help" } | Mistake,
): Run {
  if (parsed.kind === "invalid") return refuseArguments(tool, parsed.message);
  if (parsed.kind !== "help") return parsed;
  process.stdout.write(`${tool.help}\n`);
  return process.exit(0);
}

export function refuseArguments(
  { name, help }: { readonly name: string; readonly help: string },
  message: string,
): never {
  process.stderr.write(`${name}: ${message}\n\n${help}\n`);
  return process.exit(exitUsage);
}
