import { describe, expect, it } from "vitest";
import { atOnce } from "../platform/steps.ts";
import { compileSessionCatalog } from "./compile-session-catalog.ts";
import { parseCatalog } from "./parse-catalog.ts";
import { CatalogError, problemLine } from "./problems.ts";
import { withPromptOfSession } from "./prompt-versions.ts";
import { checkSessionAgent } from "./session-documents.ts";

const known = { tools: new Map(), mcpServers: [] };
const desk = "description: The desk.\nprompt_shares: { v2: 30, v10: 20 }\n";

function parse(files: Readonly<Record<string, string>> = {}, ...more: readonly Readonly<Record<string, string>>[]) {
  const first = {
    "agents/_defaults.yaml":
      "model: { cascade: { deployment_id: a }, realtime: { deployment_id: b } }\nvoice: { name: Ava }\nspeech: {}",
    "agents/_preamble.md": "You speak with a caller. It is {{ today }}.\n",
    "agents/desk/agent.yaml": desk,
    "agents/desk/prompt.md": "First.",
    "agents/desk/prompt.v2.md": "Second.",
    "agents/desk/prompt.v10.md": "Tenth.",
    "agents/expert/agent.yaml": "description: The expert.",
    "agents/expert/prompt.md": "Expert.",
    "scenarios/default.yaml": "description: D.\nagents: [desk, expert]\nstart_agent: desk",
    ...files,
  };
  return parseCatalog(
    [first, ...more].map((folder) => new Map(Object.entries(folder))),
    known,
  );
}

function problemsOf(files: Readonly<Record<string, string>>): readonly string[] {
  try {
    parse(files);
    return [];
  } catch (error) {
    if (error instanceof CatalogError) return error.problems.map(problemLine);
    throw error;
  }
}

describe("the preamble", () => {
  const session = compileSessionCatalog(parse(), { scenario: "default" });

  it("[PROMPT-1a] begins the prompt of every agent", () => {
    for (const name of ["desk", "expert"]) {
      const agent = session.agent(name);
      expect(agent && session.renderPrompt(agent, { memory: {}, today: "2026-03-21" })).toMatch(
        /^You speak with a caller\. It is 2026-03-21\.\n\n(First|Expert)\.$/,
      );
    }
  });

  it("[PROMPT-1a] begins the prompt of an agent that a request has made", () => {
    const catalog = parse();
    const made = atOnce(checkSessionAgent({ name: "waiter", prompt: "You wait at tables." }, catalog, known));
    if (!made.ok) throw new Error("the agent was refused");
    const mine = compileSessionCatalog(catalog, { scenario: "default", sessionAgents: [made.value] });
    const waiter = mine.agent("waiter");
    expect(waiter && mine.renderPrompt(waiter, { memory: {}, today: "2026-03-21" })).toBe(
      "You speak with a caller. It is 2026-03-21.\n\nYou wait at tables.",
    );
  });

  it("[PROMPT-1b] is replaced by that of a folder, which may be empty, and is checked as prompts are", () => {
    const empty = compileSessionCatalog(parse({}, { "agents/_preamble.md": "" }), { scenario: "default" });
    const expert = empty.agent("expert");
    expect(expert && empty.renderPrompt(expert, { memory: {} })).toBe("Expert.");
    expect(problemsOf({ "agents/_preamble.md": "{{ todya }}" })[0]).toContain("_preamble.md: unknown variable todya");
  });
});

describe("[PROMPT-2] an agent with several prompts", () => {
  const agent = parse().agents.get("desk");
  if (agent === undefined) throw new Error("no agent");
  const versionOf = (sessionId: string) => withPromptOfSession(agent, sessionId).promptVersion;

  it("gives each its share of the sessions", () => {
    const counts = new Map<string | undefined, number>();
    for (let index = 0; index < 2000; index++) {
      const version = versionOf(`session-${index}`);
      counts.set(version, (counts.get(version) ?? 0) + 1);
    }
    expect(new Set(counts.keys())).toEqual(new Set(["v1", "v2", "v10"]));
    expect((counts.get("v2") ?? 0) / 2000).toBeCloseTo(0.3, 1);
    expect((counts.get("v10") ?? 0) / 2000).toBeCloseTo(0.2, 1);
  });

  it("has the same one in a session for good, on every host", () => {
    const texts = { v1: "First.", v2: "Second.", v10: "Tenth." };
    for (const sessionId of ["one", "two", "three", "four", "five", "six"]) {
      const [here, there] = [parse(), parse()].map((catalog) =>
        compileSessionCatalog(catalog, { scenario: "default", sessionId }).agent("desk"),
      );
      expect(here?.promptVersion).toBe(there?.promptVersion);
      expect(texts).toHaveProperty([here?.promptVersion ?? ""], here?.prompt);
    }
  });

  it("has its first one where nobody has a session, and no version where there is only one", () => {
    expect(withPromptOfSession(agent, undefined)).toMatchObject({ promptVersion: "v1", prompt: "First." });
    const expert = parse().agents.get("expert");
    expect(expert && withPromptOfSession(expert, "one").promptVersion).toBeUndefined();
  });

  it.each([
    [{ "agents/desk/prompt.v3.md": "Third." }, "agents/desk/prompt.v3.md: has no share of the sessions"],
    [{ "agents/desk/prompt.v2.md": " " }, "agents/desk/prompt.v2.md: the prompt is empty"],
    [{ "agents/desk/prompt.v2.md": "{{ nobody }}" }, "agents/desk/prompt.v2.md: unknown variable nobody"],
    [{ "agents/expert/agent.yaml": "description: E.\nprompt_shares: { v2: 5 }" }, "there is no prompt.v2.md"],
    [{ "agents/desk/agent.yaml": desk.replace("30", "90") }, "prompt_shares: more than 100 percent"],
    [{ "agents/desk/prompt.v1.md": "Again." }, "agents/desk/prompt.v1.md: not a file of the catalog"],
  ])("is refused with %j", (files, problem) => {
    expect(problemsOf(files).join("\n")).toContain(problem);
  });
});
