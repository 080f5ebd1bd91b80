/**
 * A domain of tau2-bench in a checkout of it: its policy, tools and tasks, and how conversations about them ended. Its tools run as they are
 * in a child process (`environment_server.py`), so that nothing of them is written a second time.
 */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { parseJson } from "@voice/shared/platform/parse-json";
import { z } from "zod";

const program = fileURLToPath(new URL("environment_server.py", import.meta.url));
const run = promisify(execFile);
const longestOutputBytes = 64 * 1024 * 1024;

const action = z.object({
  name: z.string(),
  arguments: z.record(z.string(), z.unknown()),
  requestor: z.enum(["assistant", "user"]).default("assistant"),
});

const instructions = z.object({
  task_instructions: z.string(),
  reason_for_call: z.string(),
  known_info: z.string().nullish(),
  unknown_info: z.string().nullish(),
});

const taskSchema = z.object({
  id: z.coerce.string(),
  user_scenario: z.object({ persona: z.string().nullish(), instructions: z.union([z.string(), instructions]) }),
  evaluation_criteria: z
    .object({
      actions: z.array(action).nullish(),
      communicate_info: z.array(z.string()).nullish(),
      nl_assertions: z.array(z.string()).nullish(),
    })
    .nullish(),
});

const describedSchema = z.object({
  policy: z.string(),
  tools: z.array(z.object({ name: z.string(), isRead: z.boolean() })),
});

const gradeSchema = z.object({
  session: z.string(),
  task: z.string(),
  /** The database is as the expected calls leave it. */
  isEndStateRight: z.boolean(),
  failedAssertions: z.array(z.string()),
  /** As after the expected calls, which alone do not fulfil every assertion. */
  isAsExpected: z.boolean(),
  /** Calls whose result was not the same when they were made again: the tools are not deterministic. */
  differingResults: z.array(z.string()),
  calls: z.number(),
  errors: z.number(),
});

export type Task = z.infer<typeof taskSchema>;
export type DescribedDomain = z.infer<typeof describedSchema>;
export type Grade = z.infer<typeof gradeSchema>;

export class TaskDomain {
  readonly name: string;
  readonly #checkout: string;
  readonly #python: string;

  constructor(checkout: string, name: string, python = pythonOf(checkout)) {
    this.#checkout = checkout;
    this.name = name;
    this.#python = python;
  }

  async describe(): Promise<DescribedDomain> {
    return describedSchema.parse(await this.#ask("describe"));
  }

  /** Of the conversations in the folder of a run. */
  async grade(folder: string): Promise<readonly Grade[]> {
    return z.array(gradeSchema).parse(await this.#ask("grade", folder));
  }

  /** As `MCP_SERVERS` has it. */
  server(folder: string) {
    const args = [program, this.#checkout, this.name, "serve", folder];
    return { name: deskName, command: this.#python, args };
  }

  async tasks(): Promise<readonly Task[]> {
    const folder = join(this.#checkout, "data", "tau2", "domains", this.name);
    const files = ["tasks.json", "tasks_small.json"].map((name) => join(folder, name));
    const file = files.find((path) => existsSync(path));
    if (file === undefined) throw new Error(`${folder} has no tasks.json`);
    return z.array(taskSchema).parse(parseJson(await readFile(file, "utf8")));
  }

  async #ask(...args: readonly string[]): Promise<unknown> {
    const [what = "", ...rest] = args;
    const given = [program, this.#checkout, this.name, what, ...rest];
    const { stdout } = await run(this.#python, given, { maxBuffer: longestOutputBytes });
    return parseJson(stdout);
  }
}

/** The tools' names begin with it. */
export const deskName = "desk";

/** That of the checkout's own environment, where it was installed; the machine's has what the tools need if it has pydantic. */
function pythonOf(checkout: string): string {
  const own = join(checkout, ".venv", "bin", "python");
  return existsSync(own) ? own : "python3";
}
