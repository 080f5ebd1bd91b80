import { loadSettings } from "@voice/shared/config/load";
import { identityOf } from "@voice/shared/config/load-configuration";
import { systemClock } from "@voice/shared/platform/clock";
import { silentLogger } from "@voice/shared/platform/logger";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { composeModel } from "@voice/streaming-host/compose/providers";
import { fakeAgent } from "@voice/streaming-host/testing/fake-catalog";
import { builtInCatalog } from "../support/built-in-catalog.ts";
import { startOpenAiEmulator } from "@voice/local/emulators/openai/emulator";
import type { OpenAiEmulator } from "@voice/local/emulators/openai/emulator";
import type { LanguageModel, ModelRequest } from "@voice/provider-kit/ports/language-model";
import type { OpenAiLanguageModelOptions } from "@voice/streaming-host/providers/openai/language-model";
import { collect, createRequest, modelAt, textOf } from "../support/openai-questions.ts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

let emulator: OpenAiEmulator;

beforeEach(async () => {
  emulator = await startOpenAiEmulator({ key: "correct-key" });
});

afterEach(() => emulator.close());

const createModel = (options: Partial<OpenAiLanguageModelOptions> = {}) => modelAt(emulator, options);
const ask = (model = createModel(), request: ModelRequest = createRequest()) =>
  collect(model.stream(request, new AbortController().signal));

describe("a model that reasons", () => {
  const sent = () => emulator.requests.map(({ body }) => body);
  const settings = (deploymentId: string) => ({ deploymentId, maxTokens: 400 });

  it("thinks little, and has room for it beside what is said", async () => {
    for (const name of ["gpt-5-mini", "o3", "gpt-5-chat", "gpt-4o"])
      await ask(createModel(), createRequest({ settings: settings(name) }));
    expect(sent().map(({ model, reasoning_effort, max_tokens }) => ({ model, reasoning_effort, max_tokens }))).toEqual([
      { model: "gpt-5-mini", reasoning_effort: "low", max_tokens: 2400 },
      { model: "o3", reasoning_effort: "low", max_tokens: 2400 },
      { model: "gpt-5-chat", reasoning_effort: undefined, max_tokens: 400 },
      { model: "gpt-4o", reasoning_effort: undefined, max_tokens: 400 },
    ]);
  });

  it("takes the service's settings, and the agent's before them", async () => {
    const model = createModel({ reasoning: { effort: "medium", verbosity: "low", tokens: 100 } });
    await ask(model, createRequest({ settings: settings("my-deployment") }));
    const agents = { ...settings("my-deployment"), reasoningEffort: "none", verbosity: "high" } as const;
    await ask(model, createRequest({ settings: agents }));
    expect(sent()).toMatchObject([
      { reasoning_effort: "medium", verbosity: "low", max_tokens: 500 },
      { reasoning_effort: "none", verbosity: "high", max_tokens: 400 },
    ]);
  });

  it("does not think where it takes tools only so", async () => {
    const tools = [{ name: "find_order", description: "", parameters: {} }];
    for (const name of ["gpt-6-luna", "gpt-5.4-mini"])
      await ask(createModel(), createRequest({ tools, settings: settings(name) }));
    expect(sent().map(({ reasoning_effort }) => reasoning_effort)).toEqual(["none", "none"]);
    const told = createModel({ reasoning: { effort: "medium", verbosity: undefined, tokens: 100 } });
    const outcome = await ask(told, createRequest({ tools, settings: settings("gpt-6-sol") }));
    expect(outcome.error).toBeUndefined();
    expect(sent().at(-1)).toMatchObject({ reasoning_effort: "none" });
  });

  it("is asked without what it does not know, and from then on", async () => {
    emulator.script({ kind: "refusal", status: 400, code: "unsupported_value", param: "reasoning_effort" });
    const model = createModel();
    await ask(model, createRequest({ settings: settings("gpt-5") }));
    await ask(model, createRequest({ settings: settings("gpt-5") }));
    expect(sent().map(({ reasoning_effort }) => reasoning_effort)).toEqual(["low", undefined, undefined]);
  });

  it("goes on thinking as little as it should, although another agent asked for an effort that is refused", async () => {
    emulator.script({ kind: "refusal", status: 400, code: "unsupported_value", param: "reasoning_effort" });
    const model = createModel();
    const another = { ...settings("gpt-5"), reasoningEffort: "xhigh" } as const;
    await ask(model, createRequest({ settings: another }));
    await ask(model, createRequest({ settings: settings("gpt-5") }));
    expect(sent().map(({ reasoning_effort }) => reasoning_effort)).toEqual(["xhigh", undefined, "low"]);
  });

  it("answers two conversations that are refused the same at the same time", async () => {
    const refusal = { kind: "refusal", status: 400, code: "unsupported_value", param: "reasoning_effort" } as const;
    emulator.script(refusal, refusal);
    const model = createModel();
    const both = await Promise.all([1, 2].map(() => ask(model, createRequest({ settings: settings("gpt-5") }))));
    expect(both.map(({ error }) => error)).toEqual([undefined, undefined]);
  });
});

describe("a gateway", () => {
  it("gets the key in the header that it wants, and its own headers", async () => {
    emulator.script({ kind: "completion", text: "Hello." }, { kind: "completion", text: "Hello." });
    await ask(createModel({ keyHeader: "ocp-apim-subscription-key", headers: { "x-team": "voice" } }));
    await ask(createModel());
    const [gateway, usual] = emulator.requests.map(({ headers }) => headers);
    expect(gateway).toMatchObject({ "ocp-apim-subscription-key": "correct-key", "x-team": "voice" });
    expect(gateway).not.toHaveProperty("api-key");
    expect(usual).toMatchObject({ "api-key": "correct-key", authorization: "Bearer correct-key" });
  });
});

describe("a second endpoint", () => {
  it("answers by the second endpoint what the first cannot, at once and with its own key", async () => {
    const second = await startOpenAiEmulator({ key: "second-key" });
    try {
      emulator.script({ kind: "refusal", status: 503 });
      second.script({ kind: "completion", text: "The second speaks." });
      const model = createModel({
        second: {
          endpoint: second.baseUrl,
          credential: { kind: "key", key: "second-key" },
          deploymentId: "gpt-reserve",
        },
      });
      expect(textOf(await ask(model))).toBe("The second speaks.");
      expect(emulator.requests).toHaveLength(1);
      expect(second.requests.map(({ body }) => body.model)).toEqual(["gpt-reserve"]);
    } finally {
      await second.close();
    }
  });

  it("leaves the second endpoint, when the first is silent, enough of the caller's patience", async () => {
    const second = await startOpenAiEmulator({ key: "correct-key" });
    try {
      const clock = new VirtualClock();
      emulator.script({ kind: "silence" });
      second.script({ kind: "completion", text: "The second speaks." });
      const credential = { kind: "key", key: "correct-key" } as const;
      const model = createModel({
        clock,
        second: { endpoint: second.baseUrl, credential, deploymentId: "gpt-reserve" },
      });
      const answer = ask(model);
      await emulator.received(1);
      clock.advance(4_000);
      expect(textOf(await answer)).toBe("The second speaks.");
    } finally {
      await second.close();
    }
  });
});

describe("the language model's health", () => {
  async function compose() {
    const settings = loadSettings({
      CLOUD_OPENAI_ENDPOINT: emulator.baseUrl,
      CLOUD_OPENAI_DEPLOYMENT: "gpt-own",
      CLOUD_OPENAI_KEY: "correct-key",
    });
    const { tokenFor: tokens } = identityOf(settings, () => import("@voice/shared/config/cloud"));
    const parts = { settings, tokens, clock: systemClock, logger: silentLogger };
    const agents = new Map([["desk", fakeAgent("desk")]]);
    return composeModel(parts, { ...(await builtInCatalog()), agents });
  }
  const askFor = (model: LanguageModel, deploymentId: string) =>
    collect(model.stream(createRequest({ settings: { deploymentId } }), new AbortController().signal));

  it("does not depend on deployments that agents of clients name, and does not repeat their names", async () => {
    const { languageModel, status } = await compose();
    emulator.script({ kind: "refusal", status: 404 }, { kind: "completion", text: "Hello." });
    await askFor(languageModel, "call me on +12065550142");
    expect(emulator.requests.map(({ body }) => body.model)).toEqual(["call me on +12065550142", "gpt-own"]);
    expect(status()).toEqual({ name: "openai", healthy: true, basis: "answered" });
  });

  it("is still known after many deployments that agents of clients name", async () => {
    const { languageModel, status } = await compose();
    emulator.script({ kind: "refusal", status: 404 }, { kind: "completion", text: "Hello." });
    await askFor(languageModel, "gpt-own");
    for (let made = 0; made < 64; made += 1) await askFor(languageModel, `made-up-${made}`);
    expect(status()).toMatchObject({ healthy: false, error: expect.stringContaining("gpt-own") });
  });

  it.each([
    ["an agent of the catalog names", "fake"],
    ["the settings name", "gpt-own"],
  ])("tells that a deployment is down that %s", async (_, deploymentId) => {
    const { languageModel, status } = await compose();
    emulator.script({ kind: "refusal", status: 404 }, { kind: "completion", text: "Hello." });
    await askFor(languageModel, deploymentId);
    expect(status()).toMatchObject({ healthy: false, error: expect.stringContaining(deploymentId) });
  });
});
