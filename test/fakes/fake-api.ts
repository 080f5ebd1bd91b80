/** The few HTTP answers that the console asks for. */
import type { FakeConversation } from "./fake-conversation.ts";

const agents = [
  {
    name: "front_desk",
    description: "Greets callers and finds out what they need.",
    examples: ["I want to check my balance", "I would like to report a lost card", "What are your opening hours"],
    phrase_count: 6,
  },
  {
    name: "banking",
    description: "Looks after accounts: balances, payments, transfers.",
    examples: ["What is my checking balance", "Show my last payment"],
    phrase_count: 4,
    language: "de-DE",
  },
  {
    name: "fraud",
    description: "Blocks cards and looks into payments nobody made.",
    examples: ["Block my card"],
    phrase_count: 3,
  },
];

const scenarios = [
  {
    name: "retail_bank",
    description: "A front desk that hands over to banking and fraud.",
    agents: ["front_desk", "banking", "fraud"],
    start_agent: "front_desk",
  },
  { name: "single_agent", description: "One agent, no handoffs.", agents: ["banking"], start_agent: "banking" },
];

export function fakeApiResponse(path: string, conversations: readonly FakeConversation[]): unknown {
  const messages = /^\/api\/v1\/sessions\/([^/]+)\/messages$/.exec(path);
  // As a service whose conversation is of an older version: the page shows its history.
  if (messages !== null) return { session_id: messages[1], is_complete: false, messages: [] };
  const metrics = /^\/api\/v1\/sessions\/([^/]+)\/metrics$/.exec(path);
  if (metrics !== null) {
    const conversation = conversations.find(({ id }) => id === metrics[1]);
    return conversation === undefined
      ? undefined
      : {
          session_id: conversation.id,
          turn_count: conversation.turns.length,
          latency_summary: {},
          turns: conversation.turns,
        };
  }
  const session = /^\/api\/v1\/sessions\/([^/]+)$/.exec(path);
  if (session !== null) {
    const conversation = conversations.find(({ id }) => id === session[1]);
    return conversation && { ...conversation.describe(), conversation_history: conversation.history, memory: {} };
  }
  const scenario = /^\/api\/v1\/scenarios\/([^/]+)$/.exec(path);
  if (scenario !== null) {
    const found = scenarios.find(({ name }) => name === scenario[1]);
    return found && { ...found, handoffs: [{ from: "front_desk", to: "banking" }] };
  }
  switch (path) {
    case "/api/v1/readiness":
      return { status: "ready", timestamp: new Date().toISOString(), response_time_ms: 1, checks: [] };
    case "/api/v1/sign-in":
      return { required: false, provider: null };
    case "/api/v1/browser/status":
      return { status: "available", features: { local_recognition: true } };
    case "/api/v1/agents":
      return {
        status: "success",
        agents_count: agents.length,
        agents,
        scenario: "retail_bank",
        start_agent: "front_desk",
      };
    case "/api/v1/scenarios":
      return { scenarios };
    case "/api/v1/conversations":
      return {
        conversations: conversations.filter(({ isOpen }) => isOpen).map((conversation) => conversation.describeRow()),
        next: null,
        total: conversations.length,
      };
    case "/api/v1/calls/":
      return { calls: [], total: 0, page: 1, limit: 5 };
    default:
      return undefined;
  }
}
