/** Every language model through the suite of its port: the rules, and the adapter at each server that speaks the protocol. */
import { startOpenAiEmulator } from "@voice/local/emulators/openai/emulator";
import { serverManner, serverNames } from "@voice/local/emulators/openai/server-manners";
import type { ServerName } from "@voice/local/emulators/openai/server-manners";
import { createRuleModel } from "@voice/local-voice/rule-model/rule-model";
import { RuleSet, rulesOf } from "@voice/local-voice/rules/rule-set";
import type { AgentRules } from "@voice/local-voice/rules/rules";
import { languageModelContract } from "@voice/provider-kit/contracts/language-model.contract";
import type { ScriptedAnswer } from "@voice/provider-kit/contracts/scripted-answer";
import type { LanguageModel, ModelMessage } from "@voice/provider-kit/ports/language-model";
import { loadSettings } from "@voice/shared/config/load";
import { identityOf } from "@voice/shared/config/load-configuration";
import { systemClock } from "@voice/shared/platform/clock";
import { silentLogger } from "@voice/shared/platform/logger";
import { describe, expect, it } from "vitest";
import { composeModel } from "../../streaming-host/src/compose/providers.ts";
import { gateLanguageModel } from "../../streaming-host/src/pipeline/ear/gated-model.ts";
import { catalogOf } from "../support/built-in-catalog.ts";
import { collect, createRequest, modelAt, textOf } from "../support/openai-questions.ts";
import { wordsAlone } from "../support/words-alone.ts";

async function rigAt(server: ServerName, key = "correct-key") {
  const emulator = await startOpenAiEmulator({ server, key: "correct-key" });
  // As conversations have it: some of these servers put thoughts into the text.
  const adapter = modelAt(emulator, { credential: { kind: "bearer", key } });
  // That a first answer may wait (EAR-4) is tested beside the gate.
  const known: LanguageModel = { stream: (request, signal) => adapter.stream(request, signal) };
  const model = gateLanguageModel(known, { clock: systemClock, logger: silentLogger });
  return {
    emulator,
    model,
    answers: { push: (...answers: readonly ScriptedAnswer[]) => emulator.script(...answers) },
    close: () => emulator.close(),
  };
}

for (const server of serverNames)
  languageModelContract({
    name: `the adapter at ${server}`,
    streams: !serverManner(server).stream.isWhole,
    create: () => rigAt(server),
    createRefused: () => rigAt(server, "wrong-key"),
  });

/** Rules that answer this: the tool is for the one question that they know. */
function rulesFor({ text = "One moment.", toolCalls: [called] = [] }: ScriptedAnswer): AgentRules {
  const answer = { type: "say", say: text } as const;
  const args: Record<string, string> = called === undefined ? {} : JSON.parse(called.argumentsJson);
  return {
    fallback: text,
    arrival: text,
    escalation: answer,
    intents: [
      {
        name: "order",
        examples: ["where is my order"],
        slots: [],
        action: { type: "call", tool: "find_order", args },
        after: { success: { say: text } },
      },
    ],
  };
}

languageModelContract({
  name: "rules",
  callsTogether: false,
  create: async () => {
    const answers: ScriptedAnswer[] = [];
    const rulesOf = () => rulesFor(answers.shift() ?? { kind: "completion" });
    return { model: createRuleModel({ clock: systemClock, rulesOf }), answers, close: async () => undefined };
  },
});

/** As a call begins, with a remark where it belongs. */
const phoneCall: readonly ModelMessage[] = [
  { role: "system", content: "Be brief." },
  { role: "assistant", content: "Hello, this is the bakery." },
  { role: "user", content: "Where is" },
  { role: "assistant", content: "Let me" },
  { role: "system", content: "The caller interrupted the assistant here." },
  { role: "user", content: "Where is my order?" },
];
const neverAborted = new AbortController().signal;

describe.each(serverNames)("a call at %s", (server) => {
  it("is answered without the model's thoughts, and what the server refuses is asked for once", async () => {
    const { emulator, model, answers, close } = await rigAt(server);
    try {
      const settings = { deploymentId: "small", reasoningEffort: "none" } as const;
      for (const text of ["In the oven.", "Still in the oven."]) {
        answers.push({ kind: "completion", text });
        const outcome = await collect(model.stream(createRequest({ messages: phoneCall, settings }), neverAborted));
        expect(textOf(outcome)).toBe(text);
        expect(outcome.events.at(-1)).toMatchObject({ type: "finished", reason: "stop" });
      }
      // Only requests that the server accepted are listed.
      const accepted = emulator.requests.map(({ body: { messages, reasoning_effort: effort } }) => ({
        roles: messages.map(({ role }) => role).join(" "),
        effort,
      }));
      expect(accepted).toEqual([accepted[0], accepted[0]]);
      expect(accepted[0]).toEqual(acceptedBy[server] ?? accepted[0]);
      expect(emulator.refusals()).toBe(refusalsOf[server] ?? emulator.refusals());
    } finally {
      await close();
    }
  });
});

/** What has been reported to spoil conversations: each of these is refused somewhere. */
const twoCalls = ["A-17", "A-18"].map((number, place) => ({
  id: `call_${place}_find-order`,
  name: place === 0 ? "find-order" : "multi_tool_use.parallel",
  argumentsJson: JSON.stringify({ number }),
}));
const afterTwoCalls: readonly ModelMessage[] = [
  ...phoneCall,
  { role: "assistant", content: "", toolCalls: twoCalls },
  ...twoCalls.map(({ id, name }): ModelMessage => ({ role: "tool", toolCallId: id, name, content: "" })),
];
const spoiling: Readonly<Record<string, readonly ModelMessage[]>> = {
  "a handoff's greeting is last": [...phoneCall, { role: "assistant", content: "Orders here." }],
  "there were two calls at once, one of a tool that does not exist": afterTwoCalls,
  "the caller spoke before a result was answered": [...afterTwoCalls, { role: "user", content: "Hello?" }],
  "it has become very long": [
    ...Array.from({ length: 60 }, (_, turn): ModelMessage[] => [
      { role: "user", content: `Question ${turn}: and what about the other one, which I ordered before?` },
      { role: "assistant", content: `Answer ${turn}: that one is on its way, and it arrives tomorrow.` },
    ]).flat(),
    { role: "user", content: "Where is my order?" },
  ],
};
const tools = [
  {
    name: "find-order",
    description: "Finds an order.",
    parameters: {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      properties: { number: { type: ["string", "null"] }, kind: { const: "any" } },
      additionalProperties: false,
    },
  },
  { name: "end_call", description: "Ends the call.", parameters: { type: "object", properties: {} } },
];

describe.each(serverNames)("[MODEL-10a] [MODEL-10c] at %s", (server) => {
  it.each(Object.entries(spoiling))(
    "a conversation is answered in which %s, and the next request is refused no more",
    async (_name, messages) => {
      const { emulator, model, answers, close } = await rigAt(server);
      try {
        const settings = { deploymentId: "small", temperature: 0.7, topP: 0.9, maxTokens: 200 } as const;
        let refusals = 0;
        for (const text of ["In the oven.", "Still in the oven."]) {
          answers.push({ kind: "completion", text });
          const outcome = await collect(model.stream(createRequest({ messages, tools, settings }), neverAborted));
          expect(outcome.error).toBeUndefined();
          expect(textOf(outcome)).toBe(text);
          if (text.startsWith("Still")) expect(emulator.refusals()).toBe(refusals);
          refusals = emulator.refusals();
        }
        const called = { id: "c", name: "find-order", argumentsJson: '{"number":"17"}' };
        answers.push({ kind: "completion", toolCalls: [called] });
        const { events } = await collect(model.stream(createRequest({ messages, tools, settings }), neverAborted));
        const { argumentsJson } = called;
        expect(events[0]).toMatchObject({ type: "tool-call", call: { argumentsJson } });
      } finally {
        await close();
      }
    },
  );
});

it("[EAR-4] the first answer of a server that is not OpenAI's is not spoken before its thought has ended", async () => {
  const { emulator, answers, close } = await rigAt("openai");
  try {
    const adapter = modelAt(emulator, { credential: { kind: "bearer", key: "correct-key" } });
    const model = gateLanguageModel(adapter, { clock: systemClock, logger: silentLogger });
    for (const text of ["She asks for bread.\n</think>\n\nIn the oven.", "She asks again.</think>Still in the oven."]) {
      answers.push({ kind: "completion", text });
      expect(textOf(await collect(model.stream(createRequest(), neverAborted)))).toBe(text.split(/<\/think>\s*/)[1]);
    }
    const first = { endpoint: "https://api.openai.com/v1", credential: { kind: "none" } } as const;
    expect(modelAt(emulator, first).mayBeginInThought?.("small")).toBe(false);
  } finally {
    await close();
  }
});

const asItWas = "system assistant user assistant system user";
const inTurns = "system user assistant user assistant user";
const acceptedBy: Readonly<
  Partial<Record<ServerName, { readonly roles: string; readonly effort: string | undefined }>>
> = {
  openai: { roles: asItWas, effort: "none" },
  ollama: { roles: inTurns, effort: "none" },
  vllm: { roles: inTurns, effort: undefined },
  "lm-studio": { roles: inTurns, effort: "none" },
};
const refusalsOf: Readonly<Partial<Record<ServerName, number>>> = { openai: 0, ollama: 1, vllm: 2, "lm-studio": 1 };

it("a model of a server that is not OpenAI is asked not to think, unless the settings say otherwise", async () => {
  const { emulator, close } = await rigAt("ollama");
  try {
    const server = { OPENAI_BASE_URL: new URL("/v1", emulator.baseUrl).href, OPENAI_API_KEY: "correct-key" };
    for (const more of [{}, { CLOUD_OPENAI_REASONING_EFFORT: "low" }]) {
      const settings = loadSettings({ ...server, OPENAI_CHAT_MODEL: "qwen3", ...more });
      const { tokenFor: tokens } = identityOf(settings, () => import("@voice/shared/config/cloud"));
      const parts = { settings, tokens, clock: systemClock, logger: silentLogger };
      const { languageModel } = await composeModel(parts, await catalogOf(settings));
      const outcome = await collect(languageModel.stream(createRequest(), neverAborted));
      expect(outcome.error).toBeUndefined();
    }
    expect(emulator.requests.map(({ body }) => body.reasoning_effort)).toEqual(["none", "low"]);
  } finally {
    await close();
  }
});

describe("the rules of this machine, as the settings compose them", () => {
  const inOtherWords: readonly ModelMessage[] = [{ role: "user", content: "what have I bought recently" }];
  /** Of 31, whose examples take seconds of a processor. test/engines/meaning.test.ts has the sentence with all of them. */
  const fewIntents: ReadonlySet<string> = new Set(["recent_transactions", "verify_identity", "general_question"]);

  async function answered(environment: Readonly<Record<string, string>>): Promise<string> {
    const settings = loadSettings(environment);
    const { tokenFor: tokens } = identityOf(settings, () => import("@voice/shared/config/cloud"));
    const catalog = await catalogOf(settings);
    const whole = catalog.agents.get("banking-concierge");
    if (whole === undefined) throw new Error("the demonstration has no banking concierge");
    const rules = rulesOf(whole);
    const intents = rules.intents.filter(({ name }) => fewIntents.has(name));
    const few = new RuleSet({ ...rules, intents }, [], [], { intents: fewIntents, escalation: false });
    const agent = { ...whole, rules: few };
    const agents = new Map([[agent.name, agent]]);
    const parts = { settings, tokens, clock: systemClock, logger: silentLogger };
    const { languageModel } = await composeModel(parts, { ...catalog, agents });
    try {
      return textOf(
        await collect(languageModel.stream(createRequest({ agent, messages: inOtherWords }), neverAborted)),
      );
    } finally {
      await languageModel.close?.();
    }
  }

  it("understand other words than those of any example [EAR-67]", async () => {
    expect(await answered({})).toContain("last four digits");
  });

  it("compare words alone where a setting says so [EAR-68]", async () => {
    expect(await answered(wordsAlone)).toContain("I did not get that");
  });
});

describe("a server whose model has no tools", () => {
  it("is told of them in the prompt, and its calls are read from its answers [MODEL-40]", async () => {
    const { emulator, model, close } = await rigAt("vllm");
    try {
      const message = '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set';
      emulator.script({ kind: "refusal", status: 400, code: "400", message });
      const call = '<tool_call>\n{"name": "lookup_order", "arguments": {"number": 4}}\n</tool_call>';
      emulator.script({ kind: "completion", text: [call] });
      const request = createRequest({
        tools: [{ name: "lookup_order", description: "", parameters: { type: "object", properties: {} } }],
      });
      const { events, error } = await collect(model.stream(request, neverAborted));
      expect(error).toBeUndefined();
      expect(events).toMatchObject([
        { type: "tool-call", call: { name: "lookup_order", argumentsJson: '{"number":4}' } },
        { type: "finished", reason: "tool-calls" },
      ]);
      expect(emulator.requests.at(-1)?.body.tools).toBeUndefined();
    } finally {
      await close();
    }
  });

  it("is named as such where the request has none to leave out, because its refusal looks like any other", async () => {
    const { emulator, model, close } = await rigAt("vllm");
    try {
      const message = '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set';
      for (let count = 0; count < 10; count++) emulator.script({ kind: "refusal", status: 400, code: "400", message });
      const { error } = await collect(model.stream(createRequest(), neverAborted));
      expect(error).toMatchObject({
        retryable: false,
        reason: expect.stringContaining("the model has no tools, or its server was started without them"),
      });
    } finally {
      await close();
    }
  });
});
