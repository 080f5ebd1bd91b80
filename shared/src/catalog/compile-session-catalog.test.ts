import { describe, expect, it, onTestFinished, vi } from "vitest";
import { compileSessionCatalog } from "./compile-session-catalog.ts";
import { memoryOfContext } from "../conversation/call-context.ts";
import { parseCatalog } from "./parse-catalog.ts";

const files = new Map([
  [
    "agents/_defaults.yaml",
    "model: { cascade: { deployment_id: a }, realtime: { deployment_id: b } }\nvoice: { name: Ava, rate: '+3%' }\nspeech: {}",
  ],
  ["agents/_rules.yaml", "fallback: F.\narrival: A.\nescalation: { say: S. }\nintents: {}"],
  [
    "agents/desk/agent.yaml",
    "description: The desk.\ngreeting: Welcome to {{ bank }}{% if memory.name %}, {{ memory.name }}{% endif %}.\nreturn_greeting: Welcome back.\ntemplate_vars: { bank: One }",
  ],
  ["agents/desk/prompt.md", "You serve {{ bank }}. {{ handoff_reason }}"],
  [
    "agents/expert/agent.yaml",
    "description: The expert.\ngreeting: '{% if context.caller_name %}I am calling {{ context.caller_name }}.{% endif %}'\nhandoff_trigger: handoff_expert",
  ],
  ["agents/expert/prompt.md", "Expert."],
  [
    "scenarios/default.yaml",
    "description: D.\nagents: [desk, expert]\nstart_agent: desk\ntemplate_vars: { bank: Two }\nhandoffs: [{ from: desk, to: expert, tool: handoff_expert, condition: it is hard. }]",
  ],
  [
    "scenarios/open.yaml",
    "description: O.\nagents: [desk, expert]\nstart_agent: desk\nhandoffs: [{ from: desk, to: expert, type: announced }]\ngeneric_handoff: { enabled: true, type: discrete, share_context: false }",
  ],
]);
const catalog = parseCatalog([files], { tools: new Map(), mcpServers: [] });

describe("compileSessionCatalog", () => {
  const session = compileSessionCatalog(catalog, { scenario: "DEFAULT" });
  const desk = session.agent("Desk");
  const expert = session.agent("EXPERT");
  if (desk === undefined || expert === undefined) throw new Error("the agents are missing");

  it("lets the scenario's variables win over the agent's", () => {
    expect(session.renderGreeting(desk, { memory: {}, isReturn: false })).toBe("Welcome to Two.");
    expect(desk.templateVars).toEqual({ bank: "Two" });
  });

  it("greets by name once it is known, and differently on a return", () => {
    expect(session.renderGreeting(desk, { memory: { name: "Alex" }, isReturn: false })).toBe("Welcome to Two, Alex.");
    expect(session.renderGreeting(desk, { memory: {}, isReturn: true })).toBe("Welcome back.");
    expect(session.renderGreeting(expert, { memory: {}, isReturn: false })).toBeUndefined();
  });

  it("tells the model where and when to hand over", () => {
    const prompt = session.renderPrompt(desk, { memory: {}, handoffReason: "Angry." });
    expect(prompt).toContain("You serve Two. Angry.");
    expect(prompt).toContain("- expert (handoff_expert): The expert. Hand over when it is hard.");
    expect(session.renderPrompt(expert, { memory: {} })).toBe("Expert.");
  });

  it("renders a prompt anew when anything that it may tell has changed, and always where it tells the time", () => {
    const memory = {};
    const render = (context: Parameters<typeof session.renderPrompt>[1]): string => session.renderPrompt(desk, context);
    expect(render({ memory, today: "2026-03-21" })).toBe(render({ memory, today: "2026-03-21" }));
    expect(render({ memory, handoffReason: "Angry." })).toContain("Angry.");
    expect(render({ memory })).not.toContain("Angry.");
    expect(render({ memory: memoryOfContext({ caller_name: "Pat" }) })).toContain("Pat");
    expect(render({ memory })).not.toContain("Pat");
    const clock = { ...desk, prompt: "It is {{ 'now' | date: '%Y' }}." };
    onTestFinished(() => void vi.useRealTimers());
    vi.setSystemTime("2026-06-15");
    expect(session.renderPrompt(clock, { memory })).toContain("It is 2026.");
    vi.setSystemTime("2027-06-15");
    expect(session.renderPrompt(clock, { memory })).toContain("It is 2027.");
  });

  it("[OUT-6a] tells templates and models what is known about the call", () => {
    const memory = memoryOfContext({ caller_name: "Pat" });
    expect(session.renderPrompt(desk, { memory })).toContain("- caller_name: Pat");
    expect(session.renderGreeting(expert, { memory, isReturn: false })).toBe("I am calling Pat.");
  });

  it("opens every other way where generic handoffs are on, and keeps the explicit ones", () => {
    const open = compileSessionCatalog(catalog, { scenario: "open" });
    expect(open.edgesFrom("DESK")).toMatchObject([{ to: "expert", type: "announced", shareContext: true }]);
    expect(open.edgesFrom("expert")).toMatchObject([{ to: "desk", type: "discrete", shareContext: false }]);
  });

  it("applies overrides to this session only", () => {
    const overridden = compileSessionCatalog(catalog, {
      scenario: "default",
      overrides: { DESK: { model: { temperature: 0.1, topP: undefined }, voice: { name: "Emma" } } },
    });
    expect(overridden.agent("desk")?.model.cascade).toMatchObject({ deploymentId: "a", temperature: 0.1 });
    expect(overridden.agent("desk")?.model.realtime).toMatchObject({ deploymentId: "b", temperature: 0.1 });
    expect(overridden.agent("desk")?.voice).toEqual({ name: "Emma", rate: "+3%" });
    expect(catalog.agents.get("desk")?.voice.name).toBe("Ava");
  });

  it("prefers the session's own agents and scenarios", () => {
    const own = { ...expert, name: "Expert", description: "Mine." };
    const scenario = { ...session.scenario, name: "mine", startAgent: "Expert" };
    const mine = compileSessionCatalog(catalog, {
      scenario: "Mine",
      sessionAgents: [own],
      sessionScenarios: [scenario],
    });
    expect(mine.scenario.startAgent).toBe("Expert");
    expect(mine.agent("expert")?.description).toBe("Mine.");
  });

  it("refuses a scenario that nobody has", () => {
    expect(() => compileSessionCatalog(catalog, { scenario: "nowhere" })).toThrow(
      expect.objectContaining({ code: "not_found" }),
    );
  });
});
