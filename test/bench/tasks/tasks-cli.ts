/** `npm run bench:tasks`: the tasks of a public benchmark of agents, held by this service. */
import { join, resolve } from "node:path";
import { wholeNumber } from "@voice/local/command-line/option-kinds";
import { readToolArguments, refuseArguments } from "@voice/local/command-line/tool-arguments";
import { withSettingsFile } from "@voice/local/settings-file";
import { UsageProblem } from "@voice/local/command-line/usage-problem";
import { totalCost } from "@voice/shared/costs/usage";
import { z } from "zod";
import { runTasks, writeRun, type TaskRun } from "./run-tasks.ts";
import { actionsOf } from "./scripted-clerk.ts";
import { TaskDomain, type Grade } from "./task-domain.ts";

const tool = {
  name: "npm run bench:tasks",
  help: `Tasks of tau2-bench, with its own policy, tools and databases, held by this service (docs/evals.md).

  npm run bench:tasks -- --tasks ../tau2-bench --domain retail

  --tasks FOLDER   a checkout of github.com/sierra-research/tau2-bench (MIT)
  --domain NAME    retail, airline, telecom or mock (retail)
  --limit N        only the first so many tasks
  --only ID        only this task
  --voice          callers speak, and are heard by the recogniser that the settings name
  --model          the settings' model answers simulated callers (EVAL_BASE_URL and the other settings of npm run simulate);
                   without it the expected calls are made, which shows that they arrive as they were meant
  --parallel N     at a time (4)
  --out FOLDER     where what was called goes (out/tasks)`,
  options: {
    tasks: z.string().optional(),
    domain: z.string().default("retail"),
    limit: wholeNumber(1, 100_000).optional(),
    only: z.string().optional(),
    voice: z.boolean().default(false),
    model: z.boolean().default(false),
    parallel: wholeNumber(1, 1000).default(4),
    out: z.string().default("out/tasks"),
  },
};

const { values: given } = readToolArguments(tool);
if (given.tasks === undefined) refuseArguments(tool, "--tasks names no folder");
const domain = new TaskDomain(resolve(given.tasks), given.domain);
const all = (await domain.tasks()).filter(({ id }) => given.only === undefined || id === given.only);
const tasks = all.slice(0, given.limit);
const folder = resolve(join(given.out, given.domain));
const beganMs = performance.now();
try {
  const run = await runTasks({
    domain,
    tasks,
    folder,
    environment: withSettingsFile(process.env),
    isSpoken: given.voice,
    hasModel: given.model,
    parallel: given.parallel,
  });
  const file = await writeRun(folder, run);
  report(run);
  console.log(`${tasks.length} tasks in ${((performance.now() - beganMs) / 1000).toFixed(0)} s: ${file}`);
} catch (error) {
  if (!(error instanceof UsageProblem)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}

function report({ grades, sessions, failures, inputTokens }: TaskRun): void {
  const expected = new Map(tasks.map((task) => [task.id, actionsOf(task).length]));
  const hasHeld = ({ isAsExpected, isEndStateRight, failedAssertions }: Grade): boolean =>
    given.model ? isEndStateRight && failedAssertions.length === 0 : isAsExpected;
  for (const grade of grades) {
    const { task, isEndStateRight, failedAssertions, differingResults, calls, errors } = grade;
    const problems = [
      ...(isEndStateRight ? [] : ["another end state"]),
      ...(hasHeld(grade) ? [] : failedAssertions.map((what) => `not so: ${what}`)),
      ...differingResults.map((name) => `${name} had another result the second time`),
    ];
    if (problems.length > 0)
      console.log(`${task}: ${problems.join(", ")} (${calls} of ${expected.get(task)} calls, ${errors} errors)`);
  }
  for (const failure of failures) console.log(`broke off: ${failure}`);
  const right = grades.filter(hasHeld);
  console.log(
    `right end states: ${right.length} of ${tasks.length}, with ${sum(grades.map(({ calls }) => calls))} calls`,
  );
  if (inputTokens > 0)
    console.log(`a model would have been sent about ${(inputTokens / 1e6).toFixed(1)} million tokens`);
  if (sessions.length > 0) {
    const costs = sessions.map(({ usage }) => totalCost(usage));
    const said = sessions.filter(({ failedChecks }) => failedChecks.length === 0).length;
    const judged = sessions.filter(({ verdicts }) => verdicts?.["outcome"]?.passed === true).length;
    console.log(`told the caller all that they should be told: ${said}; good in the judge's opinion: ${judged}`);
    const isKnown = costs.every(({ isComplete }) => isComplete);
    const spent = sum(costs.map(({ cost }) => cost?.amount ?? 0));
    console.log(isKnown ? `cost: ${spent.toFixed(2)}` : "cost: not known, because PRICES_FILE lacks a model");
  }
  if (!given.model && right.length < tasks.length) process.exitCode = 1;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
