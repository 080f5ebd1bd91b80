/** rules.yaml as people write it: intents by name, so that an agent's file can add to, change or remove shared ones. */
import { z } from "zod";
import { slotTypes, type AgentRules, type Intent, type IntentAction, type Slot } from "./rules.ts";

const intentName = z.string().regex(/^[a-z][a-z0-9_]*$/, "expected lower case with underscores");
const toolCall = z.strictObject({ tool: z.string().min(1), args: z.record(z.string(), z.string()).default({}) });
const handoff = z.strictObject({
  to: z.union([z.string().min(1), z.array(z.string().min(1)).min(1)]),
  reason: z.string().min(1),
});

const slotFile = z
  .strictObject({
    type: z.enum(slotTypes),
    ask: z.string().min(1).optional(),
    retry: z.string().min(1).optional(),
    help: z.string().min(1).optional(),
    answers: z.array(z.string().min(1)).optional(),
    length: z.int().min(1).max(20).optional(),
    options: z.record(z.string(), z.array(z.string().min(1)).min(1)).optional(),
    memory: z.string().min(1).optional(),
    fallback: z.string().min(1).optional(),
  })
  .refine((slot) => (slot.type === "choice") === (slot.options !== undefined), {
    path: ["options"],
    message: "a slot of type choice, and no other, has options",
  });

const followUp = z
  .union([
    z.string().min(1),
    z
      .strictObject({ say: z.string().min(1).optional(), next: intentName.optional(), offer: intentName.optional() })
      .refine(({ next, offer }) => next === undefined || offer === undefined, "expected next or offer, not both"),
  ])
  .transform((value) => (typeof value === "string" ? { say: value } : value));

const actionKeys = {
  say: z.string().min(1).optional(),
  call: toolCall.optional(),
  handoff: handoff.optional(),
  repeat: z.literal(true).optional(),
};

const intentFile = z
  .strictObject({
    examples: z.array(z.string().min(1)).default([]),
    slots: z.record(z.string().regex(/^[a-z][a-z0-9_]*$/), slotFile).default({}),
    first: z.strictObject({ intent: intentName, unless: z.string().min(1) }).optional(),
    confirm: z.string().min(1).optional(),
    declined: z.string().min(1).optional(),
    aside: z.boolean().optional(),
    ...actionKeys,
    after: z
      .strictObject({
        success: followUp.optional(),
        failure: followUp.optional(),
        errors: z.record(z.string(), followUp).optional(),
      })
      .default({}),
  })
  .refine(hasOneAction, "expected exactly one of call, handoff and repeat, or else a say");

const escalationFile = z
  .strictObject(actionKeys)
  .refine(hasOneAction, "expected exactly one of call, handoff and repeat, or else a say");

export const rulesFile = z.strictObject({
  intents: z.record(intentName, intentFile),
  fallback: z.string().min(1),
  arrival: z.string().min(1),
  escalation: escalationFile,
});

export type RulesFile = z.infer<typeof rulesFile>;

export function toAgentRules(file: RulesFile): AgentRules {
  return {
    intents: Object.entries(file.intents).map(([name, intent]) => toIntent(name, intent)),
    variables: {},
    fallback: file.fallback,
    arrival: file.arrival,
    escalation: toAction(file.escalation),
  };
}

function toIntent(name: string, file: z.infer<typeof intentFile>): Intent {
  return {
    name,
    examples: file.examples,
    slots: Object.entries(file.slots).map(([slotName, slot]) => toSlot(slotName, slot)),
    first: file.first,
    confirm: file.confirm,
    declined: file.declined,
    aside: file.aside,
    action: toAction(file),
    after: file.after,
  };
}

function toSlot(name: string, file: z.infer<typeof slotFile>): Slot {
  return { name, ...file };
}

type ActionKeys = z.infer<z.ZodObject<typeof actionKeys>>;

function toAction(file: ActionKeys): IntentAction {
  if (file.call !== undefined) return { type: "call", say: file.say, tool: file.call.tool, args: file.call.args };
  if (file.handoff !== undefined) {
    const { to, reason } = file.handoff;
    return { type: "handoff", say: file.say, to: typeof to === "string" ? [to] : to, reason };
  }
  if (file.repeat === true) return { type: "repeat" };
  return { type: "say", say: file.say ?? "" };
}

function hasOneAction(file: ActionKeys): boolean {
  const acts = [file.call, file.handoff, file.repeat].filter((action) => action !== undefined).length;
  return acts === 1 || (acts === 0 && file.say !== undefined);
}
