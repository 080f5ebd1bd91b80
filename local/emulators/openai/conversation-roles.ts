/**
 * Two models that follow rules instead of weights, for tools in which a model plays callers and judges their conversations. They know only
 * the request: the caller uses the facts and the first words in its instructions, the judge the transcript and the schema that its response
 * must have.
 */
import type { CompletionRequest } from "./completion-request.ts";
import type { Responder } from "./emulator.ts";

export const callerModel = "emulated-caller";
export const judgeModel = "emulated-judge";

export function withConversationRoles(agents: Responder): Responder {
  return async (request, signal) => {
    if (request.model === callerModel) return { kind: "completion", text: sayNext(request) };
    if (request.model === judgeModel) return { kind: "completion", text: [judge(request)] };
    return agents(request, signal);
  };
}

const digitNames = "zero one two three four five six seven eight nine".split(" ");
/** A caller who is asked more often than this gets no further. */
const patience = 6;

function sayNext({ messages }: CompletionRequest): string {
  const instructions = messages.find(({ role }) => role === "system")?.content ?? "";
  const said = messages.filter(({ role }) => role === "assistant");
  const asked = messages.findLast(({ role }) => role === "user")?.content ?? "";
  if (said.length === 0) return /begin with something like: "([^"]+)"/.exec(instructions)?.[1] ?? "Hello";
  // As the agents' examples have it, so that the recogniser of this machine understands it, too.
  const farewell = "Thanks, goodbye. [hangs up]";
  if (said.length > patience) return farewell;
  const fact = factAskedFor(asked, instructions);
  if (fact !== undefined) return fact;
  if (!/\?\s*$/.test(asked) || /anything else|what (?:else )?can i do/i.test(asked)) return farewell;
  return /(\w+) or (?:a |the )?(\w+)\?/.exec(asked)?.[1] ?? "Yes, please";
}

/** Digits are said one by one, as people do on the phone. */
function factAskedFor(asked: string, instructions: string): string | undefined {
  const wanted = /social security|phone number|PIN\b|your (?:full )?name/i.exec(asked)?.[0];
  if (wanted === undefined) return undefined;
  const key = wanted.replace(/your (?:full )?/i, "");
  const facts = [...instructions.matchAll(/^- ([^:\n]+): (.+)$/gm)];
  const value = facts.find(([, name = ""]) => name.toLowerCase().includes(key.toLowerCase()))?.[2] ?? "1234";
  return value.replaceAll(/\d/g, (digit) => `${digitNames[Number(digit)] ?? digit} `).trim();
}

const confusion = /did not (?:catch|understand)|say that again/i;

function judge({ messages, response_format: format }: CompletionRequest): string {
  const transcript = messages.findLast(({ role }) => role === "user")?.content ?? "";
  const confused = transcript.split("\n").filter((line) => line.startsWith("AGENT") && confusion.test(line));
  const passed = confused.length < 2;
  const reason = passed ? "The agents understood the caller." : `The agents were lost: ${confused[0] ?? ""}`;
  const properties = format?.json_schema?.schema?.["properties"];
  const criteria = typeof properties === "object" && properties !== null ? Object.keys(properties) : [];
  return JSON.stringify(Object.fromEntries(criteria.map((name) => [name, { reason, passed }])));
}
