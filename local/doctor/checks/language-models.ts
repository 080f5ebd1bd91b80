/** Each deployment that an agent names: it answers, and it calls a tool. */
import type { ModelEvent, ModelRequest } from "@voice/provider-kit/ports/language-model";
import type { Settings } from "@voice/shared/config/settings";
import { gateLanguageModel } from "@voice/streaming-host/pipeline/ear/gated-model";
import { createOpenAiFromSettings } from "@voice/streaming-host/providers/openai/from-settings";
import { CheckFailure, type Check } from "../check.ts";
import type { DoctorContext } from "../context.ts";
import { createLastProblem } from "../last-problem.ts";

const tool = {
  name: "report_health",
  description: "Tells the operator that you are well. Call it when you are asked to report your health.",
  parameters: { type: "object", properties: {}, additionalProperties: false },
};

export function languageModelChecks({ parts, settings, catalog, identity, clock }: DoctorContext): Check[] {
  const { languageModel } = parts;
  // A user's own model has its contract suite.
  if (languageModel.kind !== "openai") return [];
  const options = { tokens: identity.tokenFor, clock, logger: createLastProblem().logger };
  const adapter = createOpenAiFromSettings(languageModel, { ...settings, retryMaxAttempts: 0 }, options);
  // Behind the same gate as in conversations, where a call that the model writes into its text is carried out, too (EAR-5).
  const model = gateLanguageModel(adapter, options);
  const asked = [...catalog.agents.values()].map((agent) => agent.model.cascade);
  const named = asked.map((agent) => agent.deploymentId);
  const deployments = new Set([languageModel.deployment, ...named].filter((name) => name !== undefined && name !== ""));
  return [...deployments].map((deploymentId = "") => ({
    name: `model ${deploymentId}`,
    advice: adviceFor(languageModel.named, deploymentId, settings),
    async run(signal) {
      const startedAt = clock.now();
      const request: ModelRequest = {
        agent: { name: "doctor", templateVars: {} },
        messages: [
          { role: "system", content: "Do what you are asked with one tool call and without words." },
          { role: "user", content: `Report your health with the tool ${tool.name}.` },
        ],
        tools: [tool],
        // The request has an agent's settings, because a server may refuse its temperature or its limit.
        settings: { ...(asked.find((agent) => agent.deploymentId === deploymentId) ?? asked[0]), deploymentId },
        memory: {},
      };
      let firstMs: number | undefined;
      const events: ModelEvent[] = [];
      for await (const event of model.stream(request, signal)) {
        firstMs ??= Math.round(clock.now() - startedAt);
        events.push(event);
      }
      const called = events.some((event) => event.type === "tool-call" && event.call.name === tool.name);
      const learnt = Object.values(adapter.learnt(new Set([deploymentId]))).flat();
      const needs = learnt.length === 0 ? "" : `; refused a request until this was changed: ${learnt.join(", ")}`;
      if (called) return `called the tool that it was asked to, after ${firstMs} ms${needs}`;
      if (events.length === 0)
        throw new CheckFailure("it answered nothing", "try the deployment in the portal's playground");
      throw new CheckFailure(
        "it answers, and does not call tools",
        `agents need tools: choose a model that has them for ${deploymentId}`,
      );
    },
  }));
}

function adviceFor(named: "cloud" | "openai", deploymentId: string, settings: Settings): string {
  const { openaiKey, openaiBaseUrl } = settings;
  if (named === "openai" && new URL(openaiBaseUrl).pathname === "/")
    return `OPENAI_BASE_URL has no path, and most servers need one: is it ${new URL("/v1", openaiBaseUrl).href}?`;
  if (named === "openai")
    return `does the server at OPENAI_BASE_URL have the model ${deploymentId}? If it refuses access: compare OPENAI_API_KEY with its keys`;
  const access =
    openaiKey === undefined
      ? "the identity needs the role Cognitive Services OpenAI User"
      : "compare CLOUD_OPENAI_KEY with the resource's keys";
  return `is there a deployment ${deploymentId} at CLOUD_OPENAI_ENDPOINT? If it refuses access: ${access}`;
}
