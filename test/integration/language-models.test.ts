/** Every language model through the suite of its port: the rules, and the adapter at each server that speaks the protocol. */
import { startOpenAiEmulator } from "@voice/local/emulators/openai/emulator";
import { serverNames } from "@voice/local/emulators/openai/server-manners";
import type { ServerName } from "@voice/local/emulators/openai/server-manners";
import { createRuleModel } from "@voice/local-voice/rule-model/rule-model";
import type { AgentRules } from "@voice/local-voice/rules/rules";
import { languageModelContract } from "@voice/provider-kit/contracts/language-model.contract";
import type { ScriptedAnswer } from "@voice/provider-kit/contracts/scripted-answer";
import type { LanguageModel, ModelMessage } from "@voice/provider-kit/ports/language-model";
import { loadSettings } from "@voice/shared/config/load";
import { identityOf } from "@voice/shared/config/load-configuration";
import { systemClock } from "@voice/shared/platform/clock";
import { silentLogger } from "@voice/shared/platform/logger";
import { describe, expect, it } from "vitest";
import { composeModel } from "../../streaming-host/src/compose-providers.ts";
import { gateLanguageModel } from "../../streaming-host/src/pipeline/ear/gated-model.ts";
import { catalogOf } from "../support/built-in-catalog.ts";
import { collect, createRequest, modelAt, textOf } from "../support/openai-questions.ts";

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
      expect(accepted[0]).toEqual(acceptedBy[server]);
      expect(emulator.refusals()).toBe(refusalsOf[server]);
    } finally {
      await close();
    }
  });
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
const acceptedBy: Readonly<Record<ServerName, { readonly roles: string; readonly effort: string | undefined }>> = {
  openai: { roles: asItWas, effort: "none" },
  ollama: { roles: inTurns, effort: "none" },
  vllm: { roles: inTurns, effort: undefined },
  "lm-studio": { roles: inTurns, effort: "none" },
};
const refusalsOf: Readonly<Record<ServerName, number>> = { openai: 0, ollama: 1, vllm: 2, "lm-studio": 1 };

it("a model of a server that is not OpenAI is asked not to think, unless the settings say otherwise", async () => {
  const { emulator, close } = await rigAt("ollama");
  try {
    const server = { OPENAI_BASE_URL: new URL("/v1", emulator.baseUrl).href, OPENAI_API_KEY: "correct-key" };
    for (const more of [{}, { CLOUD_OPENAI_REASONING_EFFORT: "low" }]) {
      const settings = loadSettings({ ...server, OPENAI_CHAT_MODEL: "qwen3", ...more });
      const identity = identityOf(settings, () => import("@voice/shared/config/cloud"));
      const parts = { settings, identity, clock: systemClock, logger: silentLogger };
      const { languageModel } = await composeModel(parts, await catalogOf(settings));
      const outcome = await collect(languageModel.stream(createRequest(), neverAborted));
      expect(outcome.error).toBeUndefined();
    }
    expect(emulator.requests.map(({ body }) => body.reasoning_effort)).toEqual(["none", "low"]);
  } finally {
    await close();
  }
});

describe("a server whose model has no tools", () => {
  it("is named as such, because its refusal looks like any other", async () => {
    const { emulator, model, close } = await rigAt("vllm");
    try {
      const message = '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set';
      emulator.script({ kind: "refusal", status: 400, code: "400", message });
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
