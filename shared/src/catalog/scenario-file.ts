/** The format of scenarios/<name>.yaml. */
import { z } from "zod";
import { afterCallDocument } from "../contracts/agents/after-call-document.ts";
import { inCamelCase } from "../platform/camel-case.ts";
import { knownLanguage, knownTimeZone } from "./known-languages.ts";
import { maxHandoffs, maxLanguages, maxScenarioAgents, templateVariables } from "./definition-limits.ts";
import type { HandoffEdge, Scenario } from "./scenario.ts";
import { waitingSounds } from "./waiting-sounds.ts";

const name = z.string().min(1).max(64);

const handoffType = z.enum(["announced", "discrete"]);

const scenarioFields = z.strictObject({
  description: z.string().min(1).max(512),
  agents: z.array(name).min(1).max(maxScenarioAgents),
  start_agent: name,
  handoff_type: handoffType.default("announced"),
  handoffs: z
    .array(
      z.strictObject({
        from: name,
        to: name,
        tool: z
          .string()
          .regex(/^handoff_[a-z0-9_]{1,56}$/, "expected a tool name that begins with handoff_")
          .optional(),
        type: handoffType.optional(),
        share_context: z.boolean().default(true),
        condition: z.string().min(1).max(512).optional(),
      }),
    )
    .max(maxHandoffs)
    .default([]),
  /** Lets every agent hand over to every other one (or to the listed ones), unless an edge says otherwise. */
  generic_handoff: z
    .strictObject({
      enabled: z.boolean(),
      targets: z.array(name).max(maxScenarioAgents).optional(),
      type: handoffType.optional(),
      share_context: z.boolean().default(true),
    })
    .default({ enabled: false, share_context: true }),
  language: knownLanguage.optional(),
  languages: z.array(knownLanguage).min(2).max(maxLanguages).optional(),
  time_zone: knownTimeZone.optional(),
  waiting_sound: z.enum(waitingSounds).optional(),
  template_vars: templateVariables.default({}),
  after_call: afterCallDocument.optional(),
});

/** Checked here, because as handoffs the targets would be reported by positions that are not in the file. */
export const scenarioFile = scenarioFields.superRefine((fields, context) => {
  const {
    agents,
    generic_handoff: { targets = [] },
    language,
    languages,
  } = fields;
  if (language !== undefined && languages?.includes(language) === false)
    context.addIssue({ code: "custom", path: ["language"], message: `"${language}" is not one of \`languages\`` });
  const members = new Set(agents.map((agent) => agent.toLowerCase()));
  const lower = targets.map((target) => target.toLowerCase());
  for (const [index, target] of targets.entries()) {
    const report = (message: string): void =>
      context.addIssue({ code: "custom", path: ["generic_handoff", "targets", index], message });
    if (!members.has(target.toLowerCase())) report(`"${target}" is not one of the scenario's agents`);
    if (lower.indexOf(target.toLowerCase()) !== index) report(`"${target}" is listed twice`);
  }
});

export type ScenarioFile = z.infer<typeof scenarioFile>;

/** Resolves names to the agents' own spelling. An unknown name stays unchanged, so that the reference check reports it. */
export function toScenario(name: string, file: ScenarioFile, spelling: (agent: string) => string): Scenario {
  const { start_agent: startAgent, handoff_type: usual, handoffs: edges, generic_handoff: _, ...fields } = file;
  const agents = file.agents.map(spelling);
  const handoffs = edges.map(({ from, to, type = usual, ...edge }): HandoffEdge => ({
    ...inCamelCase(edge),
    from: spelling(from),
    to: spelling(to),
    type,
  }));
  return {
    ...inCamelCase(fields),
    name,
    agents,
    startAgent: spelling(startAgent),
    handoffs: [...handoffs, ...genericEdges(file, agents, handoffs, spelling)],
  };
}

function genericEdges(
  file: ScenarioFile,
  agents: readonly string[],
  explicit: readonly HandoffEdge[],
  spelling: (agent: string) => string,
): readonly HandoffEdge[] {
  const generic = file.generic_handoff;
  if (!generic.enabled) return [];
  const targets = generic.targets?.map(spelling) ?? agents;
  return agents.flatMap((from) =>
    targets
      .filter((to) => to !== from && !explicit.some((edge) => edge.from === from && edge.to === to))
      .map((to) => ({ from, to, type: generic.type ?? file.handoff_type, shareContext: generic.share_context })),
  );
}
