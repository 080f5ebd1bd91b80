import { agentFile } from "./agent-file.ts";
import { guardrailsFile } from "./guardrail-file.ts";
import { linearPattern } from "./linear-pattern.ts";

/** An agent.yaml from an untrusted client. */
export const foreignAgentFile = agentFile.extend({ guardrails: guardrailsFile(linearPattern).default([]) });
