/** The frame of a simulated person's command: help, mistakes, Ctrl-C, and exit codes that scripts can rely on. */
import { toVoiceError } from "@voice/shared/platform/errors";
import type { PersonAction } from "./action.ts";
import type { ParsedCommandLine } from "./command-line.ts";

const exitFailed = 1;
const exitUsage = 2;

/** The command was given something that it cannot use; the message says what. */
export class UsageError extends Error {}

export interface PersonCommand<Settings> {
  readonly name: string;
  readonly help: string;
  readonly parsed: ParsedCommandLine<Settings>;
  /** Resolves with whether there was the conversation that was asked for. `signal`: the person hangs up. */
  readonly run: (actions: readonly PersonAction[], settings: Settings, signal: AbortSignal) => Promise<boolean>;
}

export async function runPersonCommand<Settings>(command: PersonCommand<Settings>): Promise<void> {
  process.exitCode = await exitCodeOf(command);
}

async function exitCodeOf<Settings>({ name, help, parsed, run }: PersonCommand<Settings>): Promise<number> {
  if (parsed.kind === "help") {
    console.log(help);
    return 0;
  }
  if (parsed.kind === "invalid") {
    console.error(`${name}: ${parsed.message}\n\n${help}`);
    return exitUsage;
  }
  const hangUp = new AbortController();
  process.once("SIGINT", () => hangUp.abort());
  try {
    return (await run(parsed.actions, parsed.settings, hangUp.signal)) ? 0 : exitFailed;
  } catch (error) {
    const why = error instanceof UsageError ? error.message : toVoiceError(error).message;
    console.error(`${name}: ${hangUp.signal.aborted ? "you hung up" : why}`);
    return error instanceof UsageError ? exitUsage : exitFailed;
  }
}
