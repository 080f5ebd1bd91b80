/** `npm run bench:tasks` with a domain of its own: what the tools of a checkout are called with, and how that is judged. */
import { appendFile, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { runTasks, type TaskRunOptions } from "../bench/tasks/run-tasks.ts";
import { TaskDomain } from "../bench/tasks/task-domain.ts";
import { isPythonAvailable } from "../support/installed-programs.ts";
import { servicesSpeech } from "../support/speech-engines.ts";

const checkout = fileURLToPath(new URL("../fixtures/tasks", import.meta.url));
const calls = z.array(z.object({ name: z.string(), arguments: z.unknown(), result: z.string(), isError: z.boolean() }));

async function held(more: Partial<TaskRunOptions> = {}) {
  const folder = await mkdtemp(join(tmpdir(), "tasks-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const domain = new TaskDomain(checkout, "library");
  const common = { environment: {}, isSpoken: false, hasModel: false, parallel: 2 };
  const run = await runTasks({ domain, tasks: await domain.tasks(), folder, ...common, ...more });
  return { domain, folder, ...run };
}

describe.skipIf(!isPythonAvailable())("tasks of a public benchmark", () => {
  it("[EVAL-11] reach the end state of their expected calls, with what callers do themselves", async () => {
    const { grades, failures, folder, domain } = await held();
    expect(failures).toEqual([]);
    const outcomes = grades.toSorted((left, right) => left.errors - right.errors);
    expect(outcomes).toMatchObject(
      [0, 1].map((errors) => ({ isAsExpected: true, failedAssertions: [], differingResults: [], errors })),
    );
    const lines = (await readFile(join(folder, "calls.jsonl"), "utf8")).trim().split("\n");
    const called = calls.parse(lines.map((line): unknown => JSON.parse(line)));
    expect(called.find(({ isError }) => isError)).toMatchObject({
      name: "find_book",
      result: "Error: No book is called Ulysses",
    });
    // The caller has unlocked the card before the desk lent the book.
    expect(called.findIndex(({ name }) => name === "unlock_card")).toBeLessThan(
      called.findIndex(({ name }) => name === "lend_book"),
    );

    // A call too many is another end state.
    const [grade] = grades;
    const fee = {
      session: grade?.session,
      requestor: "assistant",
      name: "charge_fee",
      arguments: { member_id: "m1", amount: 1 },
    };
    await appendFile(
      join(folder, "calls.jsonl"),
      `${JSON.stringify({ ...fee, isError: false, result: '"charged 1"' })}\n`,
    );
    const again = await domain.grade(folder);
    expect(again.map(({ session, isAsExpected }) => isAsExpected === (session !== grade?.session))).toEqual([
      true,
      true,
    ]);
  });

  it("[EVAL-11] reach it when the caller speaks", async () => {
    const { grades, failures } = await held({ isSpoken: true, localSpeech: servicesSpeech });
    expect(failures).toEqual([]);
    expect(grades.map(({ isAsExpected }) => isAsExpected)).toEqual([true, true]);
  });
});
