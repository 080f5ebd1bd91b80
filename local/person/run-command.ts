/** The frame of a simulated person's command: help, mistakes, Ctrl-C, and exit codes that scripts can rely on. */
import { toVoiceError } from "@voice/shared/platform/errors";
import { argumentsToRun } from "../command-line/tool-arguments.ts";
import { UsageProblem } from "../command-line/usage-problem.ts";
import type { PersonAction } from "./action.ts";
import type { ParsedCommandLine } from "./command-line.ts";

const exitFailed = 1;
const exitUsage = 2;

export interface PersonCommand<Settings> {
  readonly name: string;
  readonly help: string;
  readonly parsed: ParsedCommandLine<Settings>;
  /** Resolves with whether the requested conversation took place. `signal`: the person hangs up. */
  readonly run: (actions: readonly PersonAction[], settings: Settings, signal: AbortSignal) => Promise<boolean>;
}

export async function runPersonCommand<Settings>(command: PersonCommand<Settings>): Promise<void> {
  process.exitCode = await exitCodeOf(command);
}

async function exitCodeOf<Settings>({ parsed, run, ...tool }: PersonCommand<Settings>): Promise<number> {
  const { actions, settings } = argumentsToRun(tool, parsed);
  const hangUp = new AbortController();
  process.once("SIGINT", () => hangUp.abort());
  try {
    return (await run(actions, settings, hangUp.signal)) ? 0 : exitFailed;
  } catch (error) {
    const why = error instanceof UsageProblem ? error.message : toVoiceError(error).message;
    console.error(`${tool.name}: ${hangUp.signal.aborted ? "you hung up" : why}`);
    return error instanceof UsageProblem ? exitUsage : exitFailed;
  }
}
