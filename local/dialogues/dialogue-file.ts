/** scenarios/<anything>.dialogue.yaml as people write it; docs/agents.md explains the keys. */
import { z } from "zod";
import type { Dialogue, DialogueAction, DialogueStep, ExpectedTool } from "./dialogue.ts";

const text = z.string().trim().min(1);
const texts = z
  .union([text, z.array(text).min(1)], { error: "expected words or a list of words" })
  .transform((value) => (Array.isArray(value) ? value : [value]));
const values = z.record(z.string(), z.unknown());

const expectedTool = z.union([
  text.transform((name): ExpectedTool => ({ name, args: {}, result: {} })),
  z.strictObject({ name: text, args: values.default({}), result: values.default({}) }),
]);

const stepFile = z
  .strictObject({
    say: text.optional(),
    unclear: text.optional(),
    type: text.optional(),
    dtmf: z
      .string({ error: "expected keys in quotes, or YAML makes a number of them" })
      .regex(/^[0-9*#A-D{}._a-z]{1,64}$/, "expected keys: digits, star, hash, A to D")
      .optional(),
    cough: z.literal(true).optional(),
    pause_ms: z.int().min(1).max(60_000).optional(),
    interrupt_after_ms: z.int().min(0).max(20_000).optional(),
    tool: z
      .union([expectedTool, z.array(expectedTool).min(1)], {
        error: "expected a tool's name, {name, args, result}, or a list of these",
      })
      .optional(),
    no_tool: z.literal(true).optional(),
    handoff: texts.optional(),
    no_handoff: z.literal(true).optional(),
    agent: text.optional(),
    answer_has: texts.default([]),
    answer_has_any: z.array(text).min(2).optional(),
    no_answer: z.literal(true).optional(),
    answer_lacks: texts.default([]),
    within_ms: z.int().positive().optional(),
    ends: z.union([text, z.literal(true)], { error: "expected the reason, or true" }).optional(),
  })
  .superRefine((step, context) => {
    const report = (key: string, message: string): void =>
      context.addIssue({ code: "custom", path: key === "" ? [] : [key], message });
    const doings = [step.say, step.unclear, step.type, step.dtmf, step.cough, step.pause_ms];
    if (doings.filter((doing) => doing !== undefined).length !== 1)
      report("", "expected exactly one of say, unclear, type, dtmf, cough, pause_ms");
    if (step.no_answer)
      for (const key of ["answer_has", "answer_has_any", "within_ms", "ends"] as const)
        if (isGiven(step[key])) report(key, "contradicts no_answer");
    if (step.tool !== undefined && step.no_tool) report("no_tool", "contradicts tool");
    if (step.handoff !== undefined && step.no_handoff) report("no_handoff", "contradicts handoff");
  });

const dialogueEntry = z
  .strictObject({
    name: text,
    agent: text.optional(),
    profile: z.strictObject({ seed: z.int().min(0) }).optional(),
    customer: text.optional(),
    greeting_has: texts.default([]),
    steps: z.array(stepFile).min(1),
  })
  .superRefine(({ steps, greeting_has }, context) => {
    if (steps[0]?.interrupt_after_ms !== undefined && greeting_has.length > 0)
      context.addIssue({ code: "custom", path: ["greeting_has"], message: cutShort });
    for (const [index, step] of steps.entries()) {
      if (steps[index + 1]?.interrupt_after_ms === undefined) continue;
      for (const key of ["answer_has", "answer_has_any", "answer_lacks", "no_answer", "within_ms", "ends"] as const)
        if (isGiven(step[key])) context.addIssue({ code: "custom", path: ["steps", index, key], message: cutShort });
    }
  });

const cutShort = "the next step interrupts this answer, so that nothing is sure about its words";

export const dialogueFile = z.strictObject({ scenario: text, dialogues: z.array(dialogueEntry).min(1) });

function isGiven(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined;
}

export function toDialogues(file: string, content: z.infer<typeof dialogueFile>): readonly Dialogue[] {
  return content.dialogues.map(({ name, agent, profile, customer, greeting_has, steps }) => ({
    file,
    name,
    scenario: content.scenario,
    agent,
    profileSeed: profile?.seed,
    customer,
    greetingHas: greeting_has,
    steps: steps.map(toStep),
  }));
}

function toStep(step: z.infer<typeof stepFile>): DialogueStep {
  const { tool, no_tool, handoff, no_handoff } = step;
  return {
    action: toAction(step),
    interruptAfterMs: step.interrupt_after_ms,
    expects: {
      tools: no_tool === true ? [] : tool === undefined ? undefined : Array.isArray(tool) ? tool : [tool],
      handoffs: no_handoff === true ? [] : handoff,
      agent: step.agent,
      answerHas: step.answer_has,
      answerHasAny: step.answer_has_any,
      noAnswer: step.no_answer,
      answerLacks: step.answer_lacks,
      withinMs: step.within_ms,
      ends: step.ends,
    },
  };
}

function toAction({ say, unclear, type, dtmf, cough, pause_ms }: z.infer<typeof stepFile>): DialogueAction {
  if (cough !== undefined) return { kind: "cough" };
  if (pause_ms !== undefined) return { kind: "pause", lastingMs: pause_ms };
  if (dtmf !== undefined) return { kind: "dtmf", keys: dtmf };
  if (unclear !== undefined) return { kind: "unclear", text: unclear };
  return type === undefined ? { kind: "say", text: say ?? "" } : { kind: "type", text: type };
}
