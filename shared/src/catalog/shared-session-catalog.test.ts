import { describe, expect, it } from "vitest";
import { catalogInLanguage } from "./catalog-in-language.ts";
import { parseCatalog } from "./parse-catalog.ts";
import { sharedSessionCatalog } from "./shared-session-catalog.ts";

const defaults = { language: "en-US", timeZone: "UTC", voice: "Ava" };
const files = {
  "agents/_defaults.yaml":
    "model: { cascade: { deployment_id: a }, realtime: { deployment_id: b } }\nvoice: { name: Ava }\nspeech: {}",
  "agents/desk/agent.yaml": "description: The desk.\nprompt_shares: { v2: 50 }\n",
  "agents/desk/prompt.md": "First for {{ memory.name }}.",
  "agents/desk/prompt.v2.md": "Second for {{ memory.name }}.",
  "agents/expert/agent.yaml": "description: The expert.",
  "agents/expert/prompt.md": "Expert.",
  "scenarios/default.yaml": "description: D.\nagents: [desk, expert]\nstart_agent: desk",
  "scenarios/expert.yaml": "description: E.\nagents: [expert]\nstart_agent: expert",
};
const catalog = parseCatalog([new Map(Object.entries(files))], { tools: new Map(), mcpServers: [] });
const sessions = Array.from({ length: 20 }, (_, at) => `s-${at}`);
const versionOf = (sessionId: string): string | undefined =>
  sharedSessionCatalog(catalog, { sessionId, scenario: "default" }).agent("desk")?.promptVersion;

describe("the catalog of sessions that change nothing in it", () => {
  it("is one for all of the same scenario and the same prompts", () => {
    const made = new Set(
      sessions.map((sessionId) => sharedSessionCatalog(catalog, { sessionId, scenario: "default" })),
    );
    expect(made.size).toBe(2);
    expect(new Set(sessions.map(versionOf))).toEqual(new Set(["v1", "v2"]));
    const [one, other] = ["expert", "EXPERT"].map((scenario) =>
      sharedSessionCatalog(catalog, { sessionId: "s-1", scenario }),
    );
    expect(one).toBe(other);
    expect(one?.scenario.name).toBe("expert");
  });

  it("is one for all in the same language and time zone, and no other", () => {
    const shared = sharedSessionCatalog(catalog, { sessionId: "s-1", scenario: "default" });
    expect(catalogInLanguage(shared, {}, defaults)).toBe(catalogInLanguage(shared, {}, defaults));
    expect(catalogInLanguage(shared, {}, { ...defaults, timeZone: "Europe/Rome" }).timeZone).toBe("Europe/Rome");
    expect(catalogInLanguage(shared, {}, defaults).timeZone).toBe("UTC");
  });

  it("tells each session's agents of that session's memory only", () => {
    const shared = sharedSessionCatalog(catalog, { sessionId: "s-1", scenario: "default" });
    const agent = shared.agent("desk");
    if (agent === undefined) throw new Error("the scenario has the agent");
    const [ann, bob] = [{ name: "Ann" }, { name: "Bob" }];
    const prompts = [ann, bob, ann].map((memory) => shared.renderPrompt(agent, { memory }));
    expect(prompts.map((prompt) => /for (\w+)/.exec(prompt)?.[1])).toEqual(["Ann", "Bob", "Ann"]);
  });
});
