/** The command line of a tool: prints its help on demand; for a mistake it prints the mistake and the help, with exit code 2. */
import { parseArgs } from "node:util";
import type { ParseArgsConfig } from "node:util";

export interface Tool<Config extends ParseArgsConfig> {
  /** As it is started: `npm run doctor`. */
  readonly name: string;
  readonly help: string;
  readonly config: Config;
}

type Values<Config extends ParseArgsConfig> = ReturnType<typeof parseArgs<Config>>;

export type ToolArguments<Config extends ParseArgsConfig> =
  | { readonly kind: "run"; readonly given: Values<Config> }
  | { readonly kind: "help" }
  | { readonly kind: "invalid"; readonly message: string };

const exitUsage = 2;

export function parseToolArguments<const Config extends ParseArgsConfig>(
  argv: readonly string[],
  { config }: Pick<Tool<Config>, "config">,
): ToolArguments<Config> {
  // Wherever it stands, and whatever else is wrong.
  if (argv.includes("--help") || argv.includes("-h")) return { kind: "help" };
  try {
    return { kind: "run", given: parseArgs<Config>({ ...config, args: [...argv] }) };
  } catch (error) {
    if (error instanceof TypeError) return { kind: "invalid", message: mistakeOf(error) };
    throw error;
  }
}

/** Without what Node advises about arguments that begin with a dash, which no tool takes. */
function mistakeOf({ message }: TypeError): string {
  return message.replace(/\. To specify a positional argument.*$/s, "");
}

/** Ends the process where there is nothing to run. */
export function readToolArguments<const Config extends ParseArgsConfig>(tool: Tool<Config>): Values<Config> {
  const parsed = parseToolArguments(process.argv.slice(2), tool);
  if (parsed.kind === "run") return parsed.given;
  if (parsed.kind === "invalid") return refuseArguments(tool, parsed.message);
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
