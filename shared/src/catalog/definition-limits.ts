/**
 * Limits on agents and scenarios. Their content is read, compared or sent to a model while a caller waits, so each
 * limit is several times what the largest built-in agent needs, and no more.
 */
import { z } from "zod";

export const maxTools = 64;
export const maxKnowledge = 16;
export const maxAgentExamples = 500;
export const maxExampleCharacters = 256;
export const maxPhrases = 500;
export const maxPhraseCharacters = 128;
export const maxLanguages = 10;
export const maxGuardrails = 16;
export const maxGuardrailText = 1024;
/** Steps of a compiled pattern, all guardrails of an agent together; each step is tried at each character of a clause. */
export const maxPatternSteps = 3000;
export const maxScenarioAgents = 32;
export const maxHandoffs = 128;
/** Characters of the variables as JSON; they are values for prompts, not documents. */
const maxVariableCharacters = 16_000;

export const templateVariables = z
  .record(z.string().max(64), z.unknown())
  .refine(
    (variables) => JSON.stringify(variables).length <= maxVariableCharacters,
    `expected at most ${maxVariableCharacters} characters of JSON`,
  );
