/** Two agents, one of which hands over to the other, without files. */
import type { Agent } from "@voice/shared/catalog/agent";
import type { HandoffEdge } from "@voice/shared/catalog/scenario";
import type { SessionCatalog } from "@voice/shared/catalog/session-catalog";

export function fakeAgent(name: string, changes: Partial<Agent> = {}): Agent {
  return {
    name,
    description: name,
    greeting: `Hello from ${name}.`,
    returnGreeting: `Welcome back to ${name}.`,
    prompt: `You are ${name}.`,
    promptPath: "prompt.md",
    configPath: "agent.yaml",
    tools: [],
    model: { cascade: { deploymentId: "fake" }, realtime: { deploymentId: "fake" } },
    voice: { name: `voice of ${name}` },
    speech: { candidateLanguages: [], phrases: [] },
    examples: [`talk to ${name}`],
    templateVars: {},
    ...changes,
  };
}

export function fakeCatalog(options: { edge?: Partial<HandoffEdge>; agents?: readonly Agent[] } = {}): SessionCatalog {
  const agents = options.agents ?? [fakeAgent("desk"), fakeAgent("cards")];
  const edge: HandoffEdge = { from: "desk", to: "cards", type: "announced", shareContext: true, ...options.edge };
  return {
    scenario: {
      name: "fake",
      description: "",
      agents: agents.map((agent) => agent.name),
      startAgent: "desk",
      handoffs: [edge],
      templateVars: {},
    },
    agent: (name) => agents.find((agent) => agent.name === name.toLowerCase()),
    edgesFrom: (agent) => (agent === edge.from ? [edge] : []),
    renderPrompt: (agent) => agent.prompt,
    renderGreeting: (agent, { isReturn }) => (isReturn ? agent.returnGreeting : agent.greeting),
  };
}
