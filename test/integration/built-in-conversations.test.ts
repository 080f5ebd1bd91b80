/** Whole conversations with the built-in scenarios: the real agent loop, tools and rules; typed instead of spoken. */
import { describe, expect, it } from "vitest";
import { builtInCatalog } from "../support/built-in-catalog.ts";
import { loadSettings } from "@voice/shared/config/load";
import { silentLogger } from "@voice/shared/platform/logger";
import { composeDialogueTools } from "../../local/dialogues/dialogue-tools.ts";
import { compileSessionCatalog } from "@voice/shared/catalog/compile-session-catalog";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { defaultProfile } from "@voice/demo/profiles/default-profile";
import type { HistoryItem } from "@voice/shared/state/ports/session-store";
import { agentTools } from "@voice/shared/tools/agent-tools";
import { demoTools } from "@voice/shared/demo/demo-parts";
import type { Customer, CustomerDocument } from "@voice/shared/tools/customer";
import { toolSchema } from "@voice/shared/tools/define-tool";
import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import { createIdentityChecks } from "@voice/shared/tools/identity/identity-checks";
import { runTools } from "@voice/shared/tools/run-tools";
import { runAgentLoop, type AgentLoopOutput } from "@voice/streaming-host/pipeline/cascade/agent-loop";
import type { ToolRunner } from "@voice/streaming-host/pipeline/tool-round";
import { createRuleModel } from "@voice/local-voice/rule-model/rule-model";

const catalog = await builtInCatalog();
const clock = new VirtualClock(Date.UTC(2026, 2, 21, 15)); // a Saturday
const model = createRuleModel({ clock });
const own = await composeDialogueTools(catalog, demoTools, loadSettings({}), silentLogger);
const known = new Map([...demoTools, ...own.tools]);

interface Turn {
  readonly agent: string;
  readonly said: string;
  readonly tools: readonly string[];
  readonly effects: readonly string[];
  readonly handoffs: readonly string[];
}

async function converse(scenario: string, utterances: readonly string[]): Promise<readonly Turn[]> {
  const session = compileSessionCatalog(catalog, { scenario });
  const first = session.agent(session.scenario.startAgent);
  if (first === undefined) throw new Error("no start agent");
  let agent = first;
  let memory: Readonly<Record<string, unknown>> = {};
  let document: CustomerDocument = defaultProfile;
  const customer: Customer = {
    id: defaultProfile.profile_id,
    get document() {
      return document;
    },
    update: async (change) => await Promise.resolve((document = change(document))),
  };
  const visited = [first.name];
  const history: HistoryItem[] = [];
  const turns: Turn[] = [];
  const { counters } = createMemoryState({ clock });
  const checks = createIdentityChecks(counters, () => "the caller", true);
  const tools: ToolRunner = {
    definitions: (of) =>
      Array.from(agentTools(known, session, of).values(), (tool) => ({
        name: tool.name,
        description: tool.description,
        parameters: toolSchema(tool),
      })),
    run: async (calls, context, onSlow, interrupted) =>
      await runTools(calls, {
        tools: agentTools(known, session, context.agent),
        context: {
          ...context,
          knowledge: context.agent.knowledge,
          agent: context.agent.name,
          sessionId: "s",
          clock,
          customer,
          checks,
        },
        onSlow,
        interrupted,
      }),
  };
  for (const [index, userText] of utterances.entries()) {
    const turnId = `turn-${index}`;
    const common = { turnId, timestampMs: 0, interrupted: false };
    const turn = { said: "", tools: [] as string[], effects: [] as string[], handoffs: [] as string[] };
    const items: HistoryItem[] = [];
    const output: AgentLoopOutput = {
      onText: (delta) => (turn.said += delta),
      onSentenceEnd: () => (turn.said += " "),
      onToolsStarted: () => undefined,
      onToolsFinished(outcomes, toolItems) {
        items.push(...toolItems);
        turn.tools.push(...outcomes.map((outcome) => `${outcome.call.name}:${outcome.status}`));
        memory = Object.assign({}, memory, ...outcomes.map((outcome) => outcome.memory));
      },
      onHandoff(handoff) {
        turn.handoffs.push(`${handoff.from.name}>${handoff.to.name}`);
        agent = handoff.to;
        visited.push(agent.name);
      },
      onEffect: (effect) => turn.effects.push(effect.type),
      onAwaits: () => undefined,
      onFirstToken: () => undefined,
      onUsage: () => undefined,
      onCut: () => undefined,
      onRoundsSpent: () => undefined,
    };
    await runAgentLoop(
      { agent, userText, history: [...history], memory, visitedAgents: [...visited] },
      { model, catalog: session, tools, wallNow: () => 0, committed: Promise.resolve(turnId) },
      output,
      new AbortController().signal,
    );
    const said = turn.said.replaceAll(/\s+/g, " ").trim();
    history.push({ ...common, role: "user", content: userText, agent: agent.name }, ...items, {
      ...common,
      role: "assistant",
      content: said,
      agent: agent.name,
    });
    turns.push({ ...turn, said, agent: agent.name });
  }
  return turns;
}

type Expected = Partial<{ agent: string; tools: readonly string[]; effects: readonly string[]; said: RegExp }>;
type Dialogue = readonly (readonly [says: string, expected: Expected])[];

const dialogues: readonly (readonly [name: string, scenario: string, dialogue: Dialogue])[] = [
  [
    "default: a balance, then a lost card, then back",
    "default",
    [
      ["i want to check my balance", { said: /Checking or savings\?$/ }],
      ["savings", { tools: ["get_account_balance:success"], said: /eleven thousand two hundred dollars/ }],
      [
        "i lost my debit card",
        { agent: "card-specialist", said: /card team\. This is the card team\. Shall I block your debit card now\?$/ },
      ],
      ["yes please", { tools: ["block_card:success"], said: /seven seven three one is blocked/ }],
      [
        "what is my account balance",
        { agent: "front-desk", said: /You are back at the front desk\. Sure\. Checking or savings\?$/ },
      ],
      ["checking", { tools: ["get_account_balance:success"] }],
      ["no thank you", { tools: ["end_call:success"], effects: ["hang-up"], said: /Goodbye/ }],
    ],
  ],
  [
    "default: three misses lead to a person",
    "default",
    [
      ["purple rain", { said: /another way/ }],
      ["yellow river", { said: /still did not get that/ }],
      ["green grass", { tools: ["escalate_human:success"], effects: ["escalate"] }],
    ],
  ],
  [
    "banking: wrong digits are forgiven once, and what was asked for is remembered",
    "banking",
    [
      ["give me a summary of my accounts", { said: /last four digits/ }],
      ["one two three four", { tools: ["verify_identity:error"], said: /does not match.*last four digits/ }],
      [
        "seven two nine six",
        {
          tools: ["verify_identity:success", "get_account_summary:success"],
          said: /Thank you\. You are verified\..*Together that is/,
        },
      ],
      ["what did i spend my money on", { tools: ["get_recent_transactions:success"], said: /Corner Market/ }],
      ["please refund the fee", { said: /Shall I do that\?$/ }],
      ["no", { said: /leave it/, tools: [] }],
      ["please refund the fee", {}],
      ["yes go ahead", { tools: ["refund_fee:success"], said: /thirty five dollars/ }],
      ["please refund the fee", {}],
      ["yes", { tools: ["refund_fee:error"], said: /refunded already/ }],
    ],
  ],
  [
    "banking: three wrong answers end with a person",
    "banking",
    [
      ["what are my recent transactions", {}],
      ["one two three four", {}],
      ["one two three five", {}],
      ["one two three six", { tools: ["verify_identity:error", "escalate_human:success"], effects: ["escalate"] }],
    ],
  ],
  [
    "banking: a card is blocked, replaced, and a new one applied for, without notice of the handover",
    "banking",
    [
      ["somebody stole my credit card", { agent: "card-specialist", said: /^Shall I block your credit card now\?$/ }],
      ["yes", { tools: ["block_card:success"] }],
      ["yes send me a new card", { said: /last four digits/ }],
      [
        "seven two nine six",
        { tools: ["verify_identity:success", "order_replacement_card:success"], said: /on its way/ },
      ],
      ["can you recommend a credit card", { said: /What matters most/ }],
      ["travel", { tools: ["search_card_products:success"], said: /annual fee is ninety five dollars/ }],
      ["apply for the travel card", { said: /apply for the travel card in your name\?$/ }],
      ["yes", { tools: ["apply_for_card:success"], said: /ten thousand four hundred dollars/ }],
      ["what is my credit limit", { tools: ["get_card_details:success"], said: /is replaced/ }],
      ["do i qualify for the premium card", { tools: ["check_card_eligibility:error"] }],
      ["send me back to the main desk", { agent: "banking-concierge", said: /What else/ }],
    ],
  ],
  [
    "banking: a strange charge, announced to the fraud team",
    "banking",
    [
      [
        "there is a strange charge on my account",
        { agent: "fraud-specialist", said: /This is the fraud team\. To verify you/ },
      ],
      [
        "seven two nine six",
        {
          tools: ["verify_identity:success", "check_suspicious_activity:success"],
          said: /Sky Electronics in Lisbon, on March seventeenth/,
        },
      ],
      ["dispute it", { said: /Shall I dispute/ }],
      ["yes", { tools: ["dispute_transaction:success"] }],
      ["open a case for me", { said: /what happened/ }],
      ["a stranger bought a computer with it", { tools: ["open_fraud_case:success"], said: /case number is/ }],
      [
        "i have a question about my retirement account",
        {
          agent: "investment-advisor",
          tools: ["handoff_to_agent:success", "handoff_to_agent:success", "get_retirement_accounts:success"],
        },
      ],
      [
        "i want to take out five thousand dollars",
        { tools: ["estimate_withdrawal_tax:success"], said: /three thousand four hundred/ },
      ],
      [
        "what can i do with my old plan",
        { tools: ["get_rollover_options:success"], said: /leave it where it is, or move it/ },
      ],
      ["what is my routing number", { tools: ["get_routing_number:success"] }],
      ["goodbye", { effects: ["hang-up"] }],
    ],
  ],
  [
    "banking: a code that is wrong, a transfer, a complaint, a call back",
    "banking",
    [
      [
        "send me a code",
        { tools: ["send_code:success"], said: /ending in four two\. Please read me the six digits\.$/ },
      ],
      ["one one one one one one", { tools: ["verify_code:error"], said: /not the code/ }],
      ["i want to make a complaint", { said: /What happened\?$/ }],
      ["nobody answers the phone", { tools: ["submit_complaint:success"] }],
      [
        "call me back on sunday please",
        { tools: ["schedule_callback:error"], said: /Nobody works on Sunday\. On which day/ },
      ],
      ["monday", { tools: ["schedule_callback:success"], said: /March twenty third/ }],
      ["when are you open", { tools: ["search_knowledge:success"] }],
      ["what does a wire transfer cost", { said: /forty five dollars|twenty five dollars/ }],
      ["i need a mortgage", { said: /Shall I do that\?$/ }],
      ["yes", { effects: ["transfer"] }],
    ],
  ],
  [
    "insurance: a new claim, from the front desk to the number, then the policy desk",
    "insurance",
    [
      ["i had a car accident", { said: /last four digits/ }],
      [
        "seven two nine six",
        {
          agent: "claims-intake",
          tools: ["verify_identity:success", "handoff_to_agent:success"],
          said: /claims team.*On which day did it happen\?$/,
        },
      ],
      ["yesterday", { said: /Collision on your auto policy, on March twentieth\. Is that right\?$/ }],
      ["yes that is right", { tools: ["report_claim:success"], said: /five five zero one two eight/ }],
      ["what is my claim number", { tools: ["get_claim_status:success"] }],
      ["am i covered for a flood", { agent: "policy-advisor", said: /For your auto policy or your home policy\?$/ }],
      ["home", { tools: ["check_coverage:success"], said: /does not cover flood/ }],
      [
        "what policies do i have",
        { tools: ["list_policies:success"], said: /auto insurance for a blue hatchback, and home insurance/ },
      ],
      [
        "what is the deductible on my car policy",
        { tools: ["get_policy_details:success"], said: /five hundred dollars/ },
      ],
      [
        "what about claim number five five zero zero nine eight",
        { tools: ["get_claim_status:success"], said: /four thousand one hundred dollars/ },
      ],
      ["please add a note to my claim", { said: /What should the adjuster know\?$/ }],
      ["the kitchen floor is still wet", { tools: ["add_claim_note:error"], said: /closed/ }],
      ["somebody hit my car", { agent: "claims-intake", said: /You are back with the claims team/ }],
    ],
  ],
  [
    "insurance: another insurer, who is told nothing before the claim number is right",
    "insurance",
    [
      ["i am calling from another insurance company", { agent: "subrogation-desk", said: /^What is our claim number/ }],
      [
        "nine nine nine nine nine nine",
        { tools: ["verify_insurer:error"], said: /cannot find.*What is our claim number/ },
      ],
      ["five five zero one two seven", { tools: ["verify_insurer:success"], said: /Pat Smith.*How can I help\?$/ }],
      [
        "what is the status of our demand",
        { tools: ["get_demand_status:success"], said: /three thousand four hundred dollars is received/ },
      ],
      ["do you accept liability", { tools: ["get_liability_decision:success"], said: /twenty percent/ }],
      ["can you rush this", { said: /\?$/ }],
      ["yes", { tools: ["request_rush:success"] }],
      ["i am a customer", { agent: "insurance-desk", said: /front desk/ }],
    ],
  ],
];

/** One line for each thing that is not as expected. */
function deviations(turn: Turn, line: Dialogue[number] | undefined): readonly string[] {
  const [says, { agent, tools, effects, said }] = line ?? ["", {}];
  const called = turn.tools.filter((tool) => !tool.startsWith("handoff") || tools?.includes(tool));
  return [
    agent === undefined || agent === turn.agent ? [] : `${says}: with ${turn.agent}, not ${agent}`,
    tools === undefined || tools.join() === called.join()
      ? []
      : `${says}: called ${called.join()}, not ${tools.join()}`,
    effects === undefined || effects.join() === turn.effects.join() ? [] : `${says}: effects ${turn.effects.join()}`,
    said === undefined || said.test(turn.said) ? [] : `${says}: "${turn.said}" is not ${said}`,
  ].flat();
}

describe("the built-in scenarios, typed", () => {
  it.each(dialogues)("%s", async (_name, scenario, dialogue) => {
    const turns = await converse(
      scenario,
      dialogue.map(([says]) => says),
    );
    expect(turns.flatMap((turn, index) => deviations(turn, dialogue[index]))).toEqual([]);
  });

  it("take every handoff that the scenarios allow", async () => {
    const taken = new Set<string>();
    for (const [, scenario, dialogue] of dialogues) {
      const turns = await converse(
        scenario,
        dialogue.map(([says]) => says),
      );
      for (const turn of turns) for (const handoff of turn.handoffs) taken.add(`${scenario}: ${handoff}`);
    }
    const cardToFraud = await converse("banking", ["i lost my card", "there is a charge that i did not make"]);
    const back = await converse("banking", [
      "how much is in my retirement account",
      "seven two nine six",
      "send me back to the main desk",
    ]);
    for (const turn of [...cardToFraud, ...back]) for (const handoff of turn.handoffs) taken.add(`banking: ${handoff}`);
    const direct = await converse("insurance", [
      "i have a question about my policy",
      "seven two nine six",
      "i had a car accident",
    ]);
    for (const turn of direct) for (const handoff of turn.handoffs) taken.add(`insurance: ${handoff}`);
    const allowed = [...catalog.scenarios.values()].flatMap((scenario) =>
      scenario.handoffs.map((edge) => `${scenario.name}: ${edge.from}>${edge.to}`),
    );
    expect(allowed.filter((edge) => !taken.has(edge))).toEqual([]);
  });
});
