/** What can be checked without a model: tools, agents and words. Pure. */
import type { Checks } from "./eval-files.ts";
import type { TranscriptLine } from "./transcript-line.ts";

const longestResult = 200;

/** What was expected and did not happen; nothing if all is well. */
export function checkSession(checks: Checks, transcript: readonly TranscriptLine[]): readonly string[] {
  const tools = transcript.filter((line) => line.kind === "tool");
  const succeeded = new Set(tools.filter(({ hasSucceeded }) => hasSucceeded).map(({ name }) => name));
  const said = transcript.filter((line) => line.kind === "agent");
  const agents = new Set(said.map(({ agent }) => agent));
  const words = said
    .map(({ text }) => text)
    .join("\n")
    .toLowerCase();
  const contains = (text: string): boolean => words.includes(text.toLowerCase());
  return [
    ...checks.tools
      .filter((name) => !succeeded.has(name))
      .map((name) => {
        const failed = tools.findLast((tool) => tool.name === name);
        if (failed === undefined) return `${name} was not called`;
        return `${name} was not called with success: it answered ${JSON.stringify(failed.result).slice(0, longestResult)}`;
      }),
    ...checks.tools_not_succeeded
      .filter((name) => succeeded.has(name))
      .map((name) => `${name} was called with success`),
    ...checks.agents.filter((name) => !agents.has(name)).map((name) => `${name} never had the floor`),
    ...checks.answers_contain.filter((text) => !contains(text)).map((text) => `nobody said "${text}"`),
    ...checks.answers_lack.filter(contains).map((text) => `somebody said "${text}"`),
  ];
}
