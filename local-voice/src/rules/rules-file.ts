/** The format of rules.yaml: intents by name, so that an agent's file can add, change or remove shared ones. */
import { isPlainObject } from "@voice/shared/platform/plain-object";
import type { Steps } from "@voice/shared/platform/steps";
import { z } from "zod";
import {
  maxAnswersPerSlot,
  maxErrorsPerIntent,
  maxExamplesPerIntent,
  maxIntents,
  maxNameCharacters,
  maxOptions,
  maxSentenceCharacters,
  maxSlotsPerIntent,
  maxTextCharacters,
  maxToolArguments,
  maxWordings,
} from "./rule-limits.ts";
import { slotTypes, type AgentRules, type Intent, type IntentAction, type Slot } from "./rules.ts";

/** Lower case, so that names in templates match names in the file. */
const namePattern = /^[a-z][a-z0-9_]*$/;
const intentName = z.string().max(maxNameCharacters).regex(namePattern, "expected lower case with underscores");
const slotName = z.string().max(maxNameCharacters).regex(namePattern);
/** An identifier of a tool, an agent or a value in memory. */
const otherName = z.string().min(1).max(128);
/** A sentence to say, as a template. */
const text = z.string().min(1).max(maxTextCharacters);
/** A sentence that a caller may say. */
const sentence = z.string().min(1).max(maxSentenceCharacters);

function bounded<Value extends z.ZodType>(name: z.ZodString, value: Value, most: number, expected?: string) {
  return z
    .record(name, value, expected)
    .refine((entries) => Object.keys(entries).length <= most, `expected at most ${most} entries`);
}

const toolCall = z.strictObject({
  tool: otherName,
  args: bounded(z.string().max(maxNameCharacters), z.string().max(maxTextCharacters), maxToolArguments).default({}),
});
const handoff = z.strictObject({
  to: z.union([otherName, z.array(otherName).min(1).max(32)]),
  reason: text,
});

const slotFile = z
  .strictObject({
    type: z.enum(slotTypes),
    ask: text.optional(),
    retry: text.optional(),
    help: text.optional(),
    answers: z.array(sentence).max(maxAnswersPerSlot).optional(),
    length: z.int().min(1).max(20).optional(),
    future: z.literal(true).optional(),
    options: bounded(
      z.string().max(maxSentenceCharacters),
      z.array(sentence).min(1).max(maxWordings),
      maxOptions,
      "expected each option with the words for it, as in { small: [small, little] }",
    ).optional(),
    memory: otherName.optional(),
    fallback: text.optional(),
  })
  .refine((slot) => (slot.type === "choice") === (slot.options !== undefined), {
    path: ["options"],
    message: "a slot of type choice, and no other, has options",
  })
  .refine(({ type, future }) => future === undefined || type === "date", {
    path: ["future"],
    message: "only a slot of type date looks into the future",
  });

const followUp = z
  .union([
    text,
    z
      .strictObject({ say: text.optional(), next: intentName.optional(), offer: intentName.optional() })
      .refine(({ next, offer }) => next === undefined || offer === undefined, "expected next or offer, not both"),
  ])
  .transform((value) => (typeof value === "string" ? { say: value } : value));

const actionKeys = {
  say: text.optional(),
  call: toolCall.optional(),
  handoff: handoff.optional(),
  repeat: z.literal(true).optional(),
};

const intentFile = z
  .strictObject({
    examples: z.array(sentence).max(maxExamplesPerIntent).default([]),
    slots: bounded(slotName, slotFile, maxSlotsPerIntent).default({}),
    first: z.strictObject({ intent: intentName, unless: otherName }).optional(),
    confirm: text.optional(),
    declined: text.optional(),
    still: text.optional(),
    aside: z.boolean().optional(),
    ...actionKeys,
    after: z
      .strictObject({
        success: followUp.optional(),
        failure: followUp.optional(),
        errors: bounded(z.string().max(maxNameCharacters), followUp, maxErrorsPerIntent).optional(),
      })
      .default({}),
  })
  .refine(hasOneAction, "expected exactly one of call, handoff and repeat, or else a say");

const escalationFile = z
  .strictObject(actionKeys)
  .refine(hasOneAction, "expected exactly one of call, handoff and repeat, or else a say");

/** Everything except the contents of intents. */
const rulesFrame = z.strictObject({
  intents: bounded(z.string(), z.unknown(), maxIntents),
  fallback: text,
  orientation: z.strictObject({ intent: intentName, off_topic: text, again: text }).optional(),
  arrival: text,
  escalation: escalationFile,
});

/** The whole file, for the JSON Schema of its keys. */
export const rulesSchema = rulesFrame.extend({ intents: z.record(z.string(), intentFile) });

export interface RulesFile extends Omit<z.infer<typeof rulesFrame>, "intents"> {
  readonly intents: Readonly<Record<string, z.infer<typeof intentFile>>>;
}

type Read = { readonly file: RulesFile } | { readonly error: z.ZodError };

/** Parses each intent separately, because an agent may have a hundred, and reports the problems of all. */
export function* readRulesFile(value: unknown): Steps<Read> {
  const frame = rulesFrame.safeParse(value);
  yield;
  const intents: Record<string, z.infer<typeof intentFile>> = {};
  const issues: z.core.$ZodIssue[] = [...(frame.error?.issues ?? [])];
  for (const [name, content] of writtenIntents(value)) {
    const intent = intentFile.safeParse(content);
    if (intent.success) intents[name] = intent.data;
    for (const { error } of [intentName.safeParse(name), intent])
      for (const issue of error?.issues ?? []) issues.push({ ...issue, path: ["intents", name, ...issue.path] });
    yield;
  }
  return frame.success && issues.length === 0
    ? { file: { ...frame.data, intents } }
    : { error: new z.ZodError(issues) };
}

/** Empty if there are too many intents, which is reported instead. */
function writtenIntents(value: unknown): readonly (readonly [string, unknown])[] {
  const intents = isPlainObject(value) && isPlainObject(value["intents"]) ? Object.entries(value["intents"]) : [];
  return intents.length <= maxIntents ? intents : [];
}

export function toAgentRules(file: RulesFile): AgentRules {
  const { orientation } = file;
  return {
    intents: Object.entries(file.intents).map(([name, intent]) => toIntent(name, intent)),
    fallback: file.fallback,
    orientation: orientation && {
      intent: orientation.intent,
      offTopic: orientation.off_topic,
      again: orientation.again,
    },
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
    still: file.still,
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
