/** What an operator's page sends and receives on `/realtime/tools`, where one tool is tried by itself (BUILD-6 in docs/agents.md). */
import { z } from "zod";

import { idField } from "../http/fields.ts";
import { onlookerInput } from "./onlooker-input.ts";

const name = z.string().min(1).max(128);

const describeTool = z
  .object({ type: z.literal("describe_tool"), tool: name, agent: name.optional() })
  .describe("Asks for what a model is told of the tool.");

const tryTool = z
  .object({
    type: z.literal("try_tool"),
    id: z.string().min(1).max(64).describe("Of this trial: its outcome has it."),
    tool: name,
    agent: name.optional().describe("Who calls it: the tool gets this agent's language and documents."),
    arguments: z.record(z.string(), z.unknown()),
    profile_id: idField
      .nullish()
      .describe("The customer; null for nobody. Where absent, whoever a page that names nobody would be."),
    confirmed: z
      .boolean()
      .default(false)
      .describe("A tool that may change something runs only with `true`; otherwise only its arguments are checked."),
  })
  .describe("Runs the tool once, as in a conversation.");

export const toolTrialInput = z.discriminatedUnion("type", [describeTool, tryTool, ...onlookerInput.options]);
export type ToolTrialInput = z.output<typeof toolTrialInput>;
export type TryTool = z.output<typeof tryTool>;

const memory = z
  .record(z.string(), z.unknown())
  .describe("What tools have remembered since this socket was opened. No conversation has it.");

/** A tool server may leave it open, which counts as if something were changed. */
const changes = z.enum(["something", "nothing", "not_known"]);

const toolDescription = z.object({
  tool: z.string(),
  description: z.string(),
  parameters: z.record(z.string(), z.unknown()).describe("JSON Schema, as a model is sent it."),
  changes,
  timeout_ms: z.number(),
  slow_notice: z.string().nullable().describe("What a caller hears where it takes longer than people wait in silence."),
  memory,
});

const toolTrial = z.object({
  id: z.string(),
  tool: z.string(),
  outcome: z
    .enum([
      "done",
      "not_done",
      "failed",
      "timed_out",
      "not_known",
      "invalid_arguments",
      "needs_confirmation",
      "not_run",
    ])
    .describe(
      "`not_done`: the tool has answered no. `failed`: it could not do its work. `not_known`: it may have changed something, or not. " +
        "`needs_confirmation`: the arguments fit, and nothing ran. `not_run`: `problem` says why.",
    ),
  problem: z.string().nullable().describe("Why it was not run, in words."),
  changes,
  result: z.record(z.string(), z.unknown()).nullable().describe("What a model would read; null where nothing ran."),
  duration_ms: z.number(),
  was_slow: z.boolean().describe("A caller would have heard `slow_notice`."),
  effects: z
    .array(z.looseObject({ type: z.string() }))
    .describe("What it asks for the call, such as a transfer. In a trial it is not carried out."),
  memory,
});

export const toolTrialPayloads = { tool_description: toolDescription, tool_trial: toolTrial };

export type ToolTrialMessageType = keyof typeof toolTrialPayloads;

export type ToolDescription = z.infer<typeof toolDescription>;
export type ToolTrialOutcome = z.infer<typeof toolTrial>;
