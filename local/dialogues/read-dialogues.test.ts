import { catalogLanguage } from "@voice/local-voice/rules/catalog-language";
import { loadCatalog } from "@voice/shared/catalog/load-catalog";
import { CatalogError, problemLine } from "@voice/shared/catalog/problems";
import { demoCatalogDirs, demoTools } from "@voice/shared/demo/demo-parts";
import { describe, expect, it } from "vitest";
import type { Dialogue } from "./dialogue.ts";
import { fillIn } from "./fill-in.ts";
import { parseDialogues } from "./read-dialogues.ts";

const known = { tools: demoTools, mcpServers: ["weather"] };
const catalog = await loadCatalog(demoCatalogDirs, known, { language: catalogLanguage });
const file = "scenarios/own.dialogue.yaml";

function read(text: string): readonly Dialogue[] {
  return parseDialogues([new Map([[file, text]])], catalog, known);
}

function problems(text: string): readonly string[] {
  try {
    read(text);
    return [];
  } catch (error) {
    if (error instanceof CatalogError) return error.problems.map(problemLine);
    throw error;
  }
}

const withSteps = (steps: string): string => `scenario: default
dialogues:
  - name: one
    steps: [${steps}]`;

describe("a dialogue file", () => {
  it("is read with one or several of everything", () => {
    const [dialogue] = read(
      withSteps(`
        { say: hello, answer_has: a },
        { dtmf: "44#", answer_has: [a, b], tool: [end_call, { name: block_card, args: { card: debit } }] },
        { unclear: something or other },
        { type: bye, no_tool: true, handoff: card-specialist, ends: true },
        { cough: true, no_answer: true },
        { pause_ms: 100, answer_has_any: [a, b] }`),
    );
    expect(dialogue).toMatchObject({ file, name: "one", scenario: "default", greetingHas: [] });
    expect(dialogue?.steps.map(({ action }) => action.kind)).toEqual([
      "say",
      "dtmf",
      "unclear",
      "type",
      "cough",
      "pause",
    ]);
    expect(dialogue?.steps[0]?.expects).toMatchObject({ answerHas: ["a"], tools: undefined, handoffs: undefined });
    expect(dialogue?.steps[1]?.expects.tools).toEqual([
      { name: "end_call", args: {}, result: {} },
      { name: "block_card", args: { card: "debit" }, result: {} },
    ]);
    expect(dialogue?.steps[3]?.expects).toMatchObject({ tools: [], handoffs: ["card-specialist"], ends: true });
    expect(dialogue?.steps[4]?.expects).toMatchObject({ noAnswer: true });
    expect(dialogue?.steps[5]?.expects).toMatchObject({ answerHasAny: ["a", "b"] });
  });

  it.each([
    ["{ say: hello, answer_hass: a }", 'dialogues.0.steps.0.answer_hass: unknown key (did you mean "answer_has"?)'],
    ["{ answer_has: a }", "dialogues.0.steps.0: expected exactly one of say, unclear, type, dtmf, cough, pause_ms"],
    ["{ say: a, type: b }", "dialogues.0.steps.0: expected exactly one of say, unclear, type, dtmf, cough, pause_ms"],
    ["{ say: a, answer_has: b, no_answer: true }", "dialogues.0.steps.0.answer_has: contradicts no_answer"],
    ["{ say: a, tool: end_call, no_tool: true }", "dialogues.0.steps.0.no_tool: contradicts tool"],
    ["{ dtmf: 44 }", "dialogues.0.steps.0.dtmf: expected keys in quotes, or YAML makes a number of them"],
    ["{ say: a, tool: no_such_tool }", "one: steps.0.tool: unknown tool no_such_tool"],
    ["{ say: a, tool: { name: block_card, args: { crad: x } } }", "one: steps.0.tool: block_card has no argument crad"],
    ["{ say: a, handoff: nobody }", "one: steps.0.handoff: no agent nobody in the scenario default"],
    ["{ say: a, agent: policy-advisor }", "one: steps.0.agent: no agent policy-advisor in the scenario default"],
    [
      "{ say: a, answer_has: b }, { say: c, interrupt_after_ms: 500 }",
      "dialogues.0.steps.0.answer_has: the next step interrupts this answer, so that nothing is sure about its words",
    ],
  ])("says where the mistake is: %s", (steps, problem) => {
    expect(problems(withSteps(steps))).toEqual([`${file}: ${problem} (line 4)`]);
  });

  it("names a scenario that exists, and has a name of its own", () => {
    expect(problems("scenario: nowhere\ndialogues: [{ name: a, steps: [{ say: b }] }]")).toEqual([
      `${file}: scenario: unknown scenario nowhere (line 1)`,
    ]);
    expect(
      problems("scenario: default\ndialogues: [{ name: a, steps: [{ say: b }] },\n  { name: a, steps: [{ say: b }] }]"),
    ).toEqual([`${file}: a: another dialogue has this name (line 3)`]);
  });

  it("may expect a tool of a server that is not there to be asked", () => {
    expect(problems(withSteps("{ say: a, tool: weather_forecast }"))).toEqual([]);
  });
});

describe("what a tool answered before", () => {
  const calls = [{ name: "send_code", args: {}, result: { demo_code: "019283" }, status: "success" }] as const;

  it("is repeated digit by digit, and pressed as it is", () => {
    expect(fillIn({ kind: "say", text: "it is {send_code.demo_code}" }, calls)).toEqual({
      kind: "say",
      text: "it is zero one nine two eight three",
    });
    expect(fillIn({ kind: "dtmf", keys: "{send_code.demo_code}#" }, calls)).toEqual({ kind: "dtmf", keys: "019283#" });
  });

  it("stays as it is written where nothing answered", () => {
    expect(fillIn({ kind: "say", text: "{send_code.nothing}" }, calls)).toEqual({
      kind: "say",
      text: "{send_code.nothing}",
    });
  });
});
