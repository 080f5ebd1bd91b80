import { agentFile } from "./agent-file.ts";
import { guardrailsFile } from "./guardrail-file.ts";
import { linearPattern } from "./linear-pattern.ts";

/** An agent.yaml from a client, whom nobody has to trust. */
export const foreignAgentFile = agentFile.extend({ guardrails: guardrailsFile(linearPattern).default([]) });
