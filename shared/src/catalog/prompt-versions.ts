/** Prompts of one agent side by side: each gets a share of the sessions, and a session keeps its prompt. */
import { createHash } from "node:crypto";
import type { Agent, PromptVersion } from "./agent.ts";
import type { CatalogProblem } from "./problems.ts";

/** The version of `prompt.md` if there are others. */
const firstVersion = "v1";

/** The first is `prompt.md` itself. */
export const promptFilePattern = /^prompt(?:\.(v(?!0|1\.)\d+))?\.md$/;

/** The agent with the prompt that this session has: the same on every host, since it follows from the session's id. */
export function withPromptOfSession(agent: Agent, sessionId: string | undefined): Agent {
  const { otherPrompts } = agent;
  if (otherPrompts === undefined) return agent;
  const at = sessionId === undefined ? 100 : percentOf(`${sessionId} ${agent.name}`);
  let end = 0;
  for (const { version, prompt, promptPath, share } of otherPrompts) {
    end += share;
    if (at < end) return { ...agent, prompt, promptPath, promptVersion: version };
  }
  return { ...agent, promptVersion: firstVersion };
}

/** From an agent's files beside `prompt.md` and the shares in its agent.yaml; undefined where there are none. */
export function readPromptVersions(
  folder: string,
  files: ReadonlyMap<string, string>,
  shares: Readonly<Record<string, number>>,
  problems: CatalogProblem[],
): readonly PromptVersion[] | undefined {
  const versions: PromptVersion[] = [];
  const report = (file: string, key: string, message: string): void =>
    void problems.push({ file: `${folder}/${file}`, key, message });
  for (const [file, text] of [...files].toSorted(([one], [other]) =>
    one.localeCompare(other, "en", { numeric: true }),
  )) {
    const version = promptFilePattern.exec(file)?.[1];
    if (version === undefined) continue;
    const share = shares[version];
    const prompt = text.trim();
    if (prompt === "") report(file, "", "the prompt is empty");
    if (share === undefined)
      report(
        file,
        "",
        `has no share of the sessions; name ${version} in prompt_shares of agent.yaml (0 keeps it aside)`,
      );
    versions.push({ version, prompt, promptPath: `${folder}/${file}`, share: share ?? 0 });
  }
  for (const version of Object.keys(shares))
    if (!versions.some((known) => known.version === version))
      report("agent.yaml", `prompt_shares.${version}`, `there is no prompt.${version}.md`);
  return versions.length === 0 ? undefined : versions;
}

/** Where this text stands from 0 up to 100, evenly spread. */
export function percentOf(text: string): number {
  return (createHash("sha256").update(text).digest().readUInt32BE(0) / 2 ** 32) * 100;
}
