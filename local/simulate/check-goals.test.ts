import { catalogLanguage } from "@voice/local-voice/rules/catalog-language";
import { loadCatalog } from "@voice/shared/catalog/load-catalog";
import { CatalogError, problemLine } from "@voice/shared/catalog/problems";
import { demoCatalogDirs, demoTools } from "@voice/shared/demo/demo-parts";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { checkGoals, knowsCustomer } from "./check-goals.ts";
import { readEvalFiles } from "./eval-files.ts";
import type { ScenarioEval } from "./eval-files.ts";

const known = { tools: demoTools, mcpServers: ["shop"] };
const catalog = await loadCatalog(demoCatalogDirs, known, { language: catalogLanguage });

async function goalsOf(text: string): Promise<ScenarioEval> {
  const folder = await mkdtemp(join(tmpdir(), "goals-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await mkdir(join(folder, "scenarios"));
  await writeFile(join(folder, "scenarios", "own.yaml"), text);
  const { scenarios } = await readEvalFiles([{ folder, hasGoals: true }]);
  const found = scenarios.get("banking");
  if (found === undefined) throw new Error("no goals");
  return found;
}

function problems(goals: ScenarioEval, customers: "own" | "demo" | "none"): readonly string[] {
  try {
    checkGoals(goals, catalog, { known, customers });
    return [];
  } catch (error) {
    if (error instanceof CatalogError) return error.problems.map(problemLine);
    throw error;
  }
}

const goal = (rest: string): string => `scenario: banking
goals:
  - name: balance
    caller: The balance.
    opening: My balance
${rest}rubric: { tone: Kind. }
`;

it("[EVAL-13] goals that name a tool or an agent that is not there are refused, with the line and what was meant", async () => {
  const goals = await goalsOf(
    goal(`    checks:
      tools: [get_account_balanse, shop_anything]
      tools_not_succeeded: [nothing_like_it]
      agents: [Card-Specialist, front-dsk]
`),
  );
  expect(problems(goals, "demo")).toEqual([
    'scenarios/own.yaml: goals.0.checks.tools.0: unknown tool get_account_balanse (did you mean "get_account_balance"?) (line 7)',
    "scenarios/own.yaml: goals.0.checks.tools_not_succeeded.0: unknown tool nothing_like_it (line 8)",
    expect.stringMatching(/goals\.0\.checks\.agents\.1: no agent front-dsk in the scenario banking/),
  ]);
});

it("[MAKER-4] callers know the demonstration's customer only where there is one, and name one of TOOLS_DIR otherwise", async () => {
  const [known, named, plain] = await Promise.all([
    goalsOf(goal("    knows_customer: true\n")),
    goalsOf(goal('    customer: "4711"\n')),
    goalsOf(goal("")),
  ]);
  expect(problems(known, "none")).toEqual([
    "scenarios/own.yaml: goals.0.knows_customer: the demonstration's customers are not there: name a customer of TOOLS_DIR (line 6)",
  ]);
  expect(problems(named, "demo")).toEqual([
    "scenarios/own.yaml: goals.0.customer: only customers of TOOLS_DIR can be named (line 6)",
  ]);
  expect([problems(named, "own"), problems(plain, "none"), problems(known, "demo")]).toEqual([[], [], []]);
  expect((["demo", "own", "none"] as const).map((kind) => plain.goals.map((one) => knowsCustomer(one, kind)))).toEqual([
    [true],
    [false],
    [false],
  ]);
});
