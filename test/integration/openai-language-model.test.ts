import { silentLogger } from "@voice/shared/platform/logger";
import type { Logger } from "@voice/shared/platform/logger";
import { VoiceError } from "@voice/shared/platform/errors";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { startOpenAiEmulator } from "@voice/local/emulators/openai/emulator";
import type { OpenAiEmulator } from "@voice/local/emulators/openai/emulator";
import type { Answer } from "@voice/local/emulators/openai/answer";
import type { OpenAiLanguageModelOptions } from "@voice/streaming-host/providers/openai/language-model";
import type { ModelEvent, ModelMessage } from "@voice/provider-kit/ports/language-model";
import { collect, createRequest, modelAt, textOf } from "../support/openai-questions.ts";
import { eventually, sleep } from "../support/wait.ts";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";

let emulator: OpenAiEmulator;

beforeEach(async () => {
  emulator = await startOpenAiEmulator({ key: "correct-key" });
});

afterEach(() => emulator.close());

const createModel = (options: Partial<OpenAiLanguageModelOptions> = {}) => modelAt(emulator, options);
const neverAborted = new AbortController().signal;
const ask = (model = createModel(), request = createRequest()) => collect(model.stream(request, neverAborted));

const primary = new Set(["gpt-primary"]);

describe("an answer", () => {
  it("arrives in pieces, then finishes with its usage", async () => {
    emulator.script({ kind: "completion", text: ["Your order ", "is on ", "its way."] });
    const outcome = await ask();
    expect(outcome.error).toBeUndefined();
    expect(outcome.events).toEqual([
      { type: "text-delta", text: "Your order " },
      { type: "text-delta", text: "is on " },
      { type: "text-delta", text: "its way." },
      {
        type: "finished",
        reason: "stop",
        usage: { inputTokens: expect.any(Number), outputTokens: expect.any(Number), model: "gpt-primary" },
      },
    ]);
  });

  it("hands out its first piece while the rest is still being produced", async () => {
    const clock = new VirtualClock();
    const slow = await startOpenAiEmulator({ key: "correct-key", clock });
    onTestFinished(() => slow.close());
    slow.script({ kind: "completion", text: ["First. ", "Second."], betweenChunksMs: 150 });
    const pieces = modelAt(slow).stream(createRequest(), neverAborted)[Symbol.asyncIterator]();
    const first = pieces.next();
    await expect.poll(() => clock.pendingTimers).toBeGreaterThan(0);
    await clock.advanceAsync(150);
    // The server's clock stands still: it has not produced the second piece when the first is here.
    expect((await first).value).toEqual({ type: "text-delta", text: "First. " });
    const second = pieces.next();
    await clock.advanceAsync(150);
    expect((await second).value).toEqual({ type: "text-delta", text: "Second." });
    await pieces.return?.();
  });

  it.each([false, true])("assembles parallel tool calls (deltas interleaved: %s)", async (interleaveToolCalls) => {
    emulator.script({
      kind: "completion",
      interleaveToolCalls,
      toolCalls: [
        { id: "call_a", name: "find_order", argumentsJson: '{"number":"A-17"}' },
        { id: "call_b", name: "find_customer", argumentsJson: '{"name":"Ada"}' },
      ],
    });
    const outcome = await ask();
    expect(outcome.events).toEqual([
      { type: "tool-call", call: { id: "call_a", name: "find_order", argumentsJson: '{"number":"A-17"}' } },
      { type: "tool-call", call: { id: "call_b", name: "find_customer", argumentsJson: '{"name":"Ada"}' } },
      expect.objectContaining({ type: "finished", reason: "tool-calls" }),
    ]);
  });

  it("says that it was cut by the token limit", async () => {
    emulator.script({ kind: "completion", text: "Half a", finish: "length" });
    expect((await ask()).events.at(-1)).toMatchObject({ type: "finished", reason: "length" });
  });

  it("says that the content filter stopped it", async () => {
    emulator.script({ kind: "completion", text: "I will", finish: "content_filter" });
    expect((await ask()).events.at(-1)).toMatchObject({ type: "finished", reason: "content-filter" });
  });

  it("says that the content filter refused the prompt, without a second try", async () => {
    emulator.script({ kind: "refusal", status: 400, code: "content_filter" });
    expect(await ask()).toEqual({ events: [{ type: "finished", reason: "content-filter" }] });
    expect(emulator.requests).toHaveLength(1);
  });
});

describe("a request", () => {
  it("carries the history with tool calls and their results in the service's order", async () => {
    const messages: ModelMessage[] = [
      { role: "system", content: "Be brief." },
      { role: "user", content: "Where is my order?" },
      {
        role: "assistant",
        content: "",
        toolCalls: [{ id: "call_1", name: "find_order", argumentsJson: "{}" }],
      },
      { role: "tool", toolCallId: "call_1", name: "find_order", content: '{"success":true}' },
    ];
    const tools = [
      { name: "find_order", description: "Finds an order.", parameters: { type: "object", properties: {} } },
    ];
    const settings = { deploymentId: "gpt-primary", temperature: 0.2, topP: 0.9, maxTokens: 200 };
    const outcome = await ask(createModel(), createRequest({ messages, tools, settings }));
    expect(outcome.error).toBeUndefined();
    expect(emulator.requests[0]?.body).toMatchObject({
      model: "gpt-primary",
      temperature: 0.2,
      top_p: 0.9,
      max_tokens: 200,
      tools: [{ type: "function", function: { name: "find_order" } }],
      messages: [
        { role: "system" },
        { role: "user" },
        { role: "assistant", content: null, tool_calls: [{ id: "call_1", function: { name: "find_order" } }] },
        { role: "tool", tool_call_id: "call_1", content: '{"success":true}' },
      ],
    });
  });

  it("asks the token function again for every attempt", async () => {
    const tokens = ["expired", "correct-key"];
    emulator.script({ kind: "hang-up" });
    const model = createModel({
      endpoint: emulator.baseUrl,
      credential: { kind: "token", token: async () => tokens.pop() ?? "" },
    });
    const refused = await collect(model.stream(createRequest(), neverAborted));
    expect(refused.error).toMatchObject({ code: "upstream_unavailable", retryable: false });
    expect(tokens).toEqual([]);
  });
});

describe("the connection", () => {
  it("is kept from turn to turn, for longer than a caller speaks", async () => {
    const model = createModel();
    // Whoever asks in the millisecond in which an answer ends has a connection of their own.
    const usesOneAgain = async (): Promise<boolean> => {
      const made = emulator.connections();
      await ask(model);
      return made > 0 && emulator.connections() === made;
    };
    await eventually(usesOneAgain, "a connection is used again");
    await sleep(4_600); // Node's fetch drops an idle connection after 4 s unless it is told otherwise
    expect(await usesOneAgain()).toBe(true);
  });

  it("is made anew when it broke between two turns, and nobody hears of it", async () => {
    const model = createModel({ retry: { maxAttempts: 1, backoffFactor: 1, jitter: false } });
    await ask(model);
    emulator.dropConnections();
    const outcome = await ask(model);
    expect(outcome.error).toBeUndefined();
    expect(outcome.events.at(-1)).toMatchObject({ type: "finished", reason: "stop" });
    expect(emulator.connections()).toBe(2);
  });

  it("is made anew when it breaks as the next question is on its way, and nobody hears of it", async () => {
    const model = createModel({ retry: { maxAttempts: 1, backoffFactor: 1, jitter: false } });
    await ask(model);
    emulator.script({ kind: "hang-up" });
    const outcome = await ask(model);
    expect(outcome.error).toBeUndefined();
    expect(emulator.requests).toHaveLength(3);
    expect(emulator.connections()).toBe(2);
  });
});

describe("a parameter that the model refuses", () => {
  it("is left out at once, and from then on", async () => {
    emulator.script(
      { kind: "refusal", status: 400, code: "unsupported_value", param: "temperature" },
      { kind: "refusal", status: 400, code: "unsupported_parameter", param: "max_tokens" },
      { kind: "completion", text: "Fine." },
      { kind: "completion", text: "Still fine." },
    );
    const model = createModel();
    const request = createRequest({ settings: { deploymentId: "reasoning", temperature: 0.7, maxTokens: 100 } });
    expect(textOf(await ask(model, request))).toBe("Fine.");
    expect(textOf(await ask(model, request))).toBe("Still fine.");
    const sent = emulator.requests.map(({ body: { temperature, max_tokens, max_completion_tokens } }) => ({
      temperature,
      max_tokens,
      max_completion_tokens,
    }));
    expect(sent).toEqual([
      { temperature: 0.7, max_tokens: 100, max_completion_tokens: undefined },
      { temperature: undefined, max_tokens: 100, max_completion_tokens: undefined },
      { temperature: undefined, max_tokens: undefined, max_completion_tokens: 100 },
      { temperature: undefined, max_tokens: undefined, max_completion_tokens: 100 },
    ]);
  });

  it("[MODEL-10b] is never asked for twice in the same form, and the first refusal is what is reported", async () => {
    const refusals = Array.from({ length: 12 }, (_, place) => ({
      kind: "refusal" as const,
      status: 400,
      code: place === 0 ? "unsupported_parameter" : "other",
      param: "messages[1].content",
    }));
    emulator.script(...refusals);
    const { error } = await ask();
    expect(error).toMatchObject({ code: "upstream_unavailable", retryable: false });
    expect(String(error)).toContain("code unsupported_parameter, parameter messages.1.content");
    const bodies = emulator.requests.map(({ body }) => JSON.stringify(body));
    expect(new Set(bodies).size).toBe(bodies.length);
    expect(bodies.length).toBeLessThanOrEqual(10);
  });
});

describe("[MODEL-11] what was learnt from a refusal", () => {
  it("is in the log once and in what operators see, without anybody's words", async () => {
    const lines: string[] = [];
    const repairs: string[] = [];
    const logger: Logger = { ...silentLogger, warn: (...line: readonly unknown[]) => lines.push(JSON.stringify(line)) };
    const model = createModel({ logger, onRepaired: (repair) => repairs.push(repair) });
    emulator.script({
      kind: "refusal",
      status: 400,
      code: "invalid_request_error",
      message: "`temperature` and `top_p` cannot both be specified for this model; you said: Where is my order?",
    });
    const request = createRequest({ settings: { deploymentId: "gpt-primary", temperature: 0.7, topP: 0.9 } });
    for (let turn = 0; turn < 3; turn++) expect((await ask(model, request)).error).toBeUndefined();
    expect(emulator.requests.map(({ body }) => body.top_p)).toEqual([0.9, undefined, undefined, undefined]);
    expect(lines).toEqual([expect.stringContaining("top_p is left out beside temperature")]);
    expect(lines.join()).not.toContain("order");
    expect(repairs).toEqual(["top_p beside temperature"]);
    expect(model.learnt(primary)).toEqual({ "gpt-primary": ["top_p is left out beside temperature"] });
  });
});

describe("an abort", () => {
  it("closes the vendor's socket in the middle of the answer and throws the reason", async () => {
    emulator.script({ kind: "completion", text: "one two three four five six seven eight", betweenChunksMs: 1_500 });
    const abort = new AbortController();
    const reason = new DOMException("barge-in", "AbortError");
    const events: ModelEvent[] = [];
    const reading = (async () => {
      for await (const event of createModel().stream(createRequest(), abort.signal)) {
        events.push(event);
        if (events.length === 2) {
          abort.abort(reason);
        }
      }
    })();
    await expect(reading).rejects.toBe(reason);
    const gone = await emulator.requests[0]?.clientGone;
    expect(gone?.chunksSent).toBeLessThan(6);
    expect(events).toHaveLength(2);
  });

  it("closes the vendor's socket before the first byte", async () => {
    emulator.script({ kind: "silence" });
    const abort = new AbortController();
    const reading = collect(createModel().stream(createRequest(), abort.signal));
    await expect.poll(() => emulator.requests.length).toBe(1);
    abort.abort();
    expect((await reading).error).toBe(abort.signal.reason);
    await expect(emulator.requests[0]?.clientGone).resolves.toMatchObject({ chunksSent: 0 });
    expect(emulator.requests).toHaveLength(1);
  });

  it("does not wait for the next attempt's turn", async () => {
    emulator.script({ kind: "refusal", status: 429, retryAfterMs: 1_900 });
    const abort = new AbortController();
    const clock = new VirtualClock(); // on which the turn of the next attempt never comes
    const reading = collect(createModel({ clock }).stream(createRequest(), abort.signal));
    await expect.poll(() => emulator.requests.length).toBe(1);
    abort.abort();
    expect((await reading).error).toBe(abort.signal.reason);
  });

  it("is what a consumer that stops reading amounts to", async () => {
    emulator.script({ kind: "completion", text: "one two three four five", betweenChunksMs: 40 });
    for await (const event of createModel().stream(createRequest(), neverAborted)) {
      expect(event.type).toBe("text-delta");
      break;
    }
    await expect(emulator.requests[0]?.clientGone).resolves.toBeDefined();
  });
});

/** What goes wrong, when, and what the port's user sees of it when every attempt goes the same way. */
const faults: readonly {
  readonly name: string;
  readonly answer: Answer;
  readonly code: string;
  readonly retryable: boolean;
  readonly attempts: number;
  readonly heard: string;
}[] = [
  {
    name: "connect: socket closed",
    answer: { kind: "hang-up" },
    code: "upstream_unavailable",
    retryable: true,
    attempts: 2,
    heard: "",
  },
  {
    name: "connect: 401",
    answer: { kind: "refusal", status: 401 },
    code: "upstream_unavailable",
    retryable: false,
    attempts: 1,
    heard: "",
  },
  {
    name: "connect: 403",
    answer: { kind: "refusal", status: 403 },
    code: "upstream_unavailable",
    retryable: false,
    attempts: 1,
    heard: "",
  },
  {
    name: "connect: 404",
    answer: { kind: "refusal", status: 404 },
    code: "upstream_unavailable",
    retryable: false,
    attempts: 1,
    heard: "",
  },
  {
    // MODEL-10: once as it is, without what may be left out, and with the prompt in the caller's words.
    name: "connect: 400",
    answer: { kind: "refusal", status: 400 },
    code: "upstream_unavailable",
    retryable: false,
    attempts: 3,
    heard: "",
  },
  {
    name: "connect: 429 that passes",
    answer: { kind: "refusal", status: 429, retryAfterMs: 10 },
    code: "rate_limited",
    retryable: true,
    attempts: 2,
    heard: "",
  },
  {
    name: "connect: 429 for a minute",
    answer: { kind: "refusal", status: 429, retryAfterMs: 60_000 },
    code: "rate_limited",
    retryable: true,
    attempts: 1,
    heard: "",
  },
  {
    name: "connect: quota used up",
    answer: { kind: "refusal", status: 429, code: "insufficient_quota" },
    code: "rate_limited",
    retryable: false,
    attempts: 1,
    heard: "",
  },
  {
    name: "connect: 503",
    answer: { kind: "refusal", status: 503 },
    code: "upstream_unavailable",
    retryable: true,
    attempts: 2,
    heard: "",
  },
  {
    name: "first byte: silence",
    answer: { kind: "silence" },
    code: "upstream_timeout",
    retryable: true,
    attempts: 2,
    heard: "",
  },
  {
    name: "first byte: cut",
    answer: { kind: "completion", text: "a b", cutAfterChunks: 0 },
    code: "upstream_unavailable",
    retryable: true,
    attempts: 2,
    heard: "",
  },
  {
    name: "first byte: stalled after the role",
    answer: { kind: "completion", text: "a b", stallAfterChunks: 1 },
    code: "upstream_timeout",
    retryable: true,
    attempts: 2,
    heard: "",
  },
  {
    name: "middle: cut",
    answer: { kind: "completion", text: "a b c d", cutAfterChunks: 3 },
    code: "upstream_unavailable",
    retryable: true,
    attempts: 1,
    heard: "a b ",
  },
  {
    name: "middle: stalled",
    answer: { kind: "completion", text: "a b c d", stallAfterChunks: 3 },
    code: "upstream_timeout",
    retryable: true,
    attempts: 1,
    heard: "a b ",
  },
  {
    name: "end: neither a finish reason nor an end mark",
    answer: { kind: "completion", text: "a b", endAfterChunks: 3, hasNoEndMark: true },
    code: "upstream_unavailable",
    retryable: true,
    attempts: 1,
    heard: "a b",
  },
];

describe("a failure", () => {
  it.each(faults)(
    "at $name gives $code after $attempts attempt(s)",
    async ({ answer, code, retryable, attempts, heard }) => {
      emulator.script(...Array.from({ length: 12 }, () => answer));
      const model = createModel({
        retry: { maxAttempts: 1, backoffFactor: 2, jitter: false },
        firstEventTimeoutMs: 150,
        stallTimeoutMs: 150,
      });
      const outcome = await ask(model);
      expect(outcome.error).toBeInstanceOf(VoiceError);
      expect(outcome.error).toMatchObject({ code, retryable });
      expect(textOf(outcome)).toBe(heard);
      expect(emulator.requests).toHaveLength(attempts);
    },
  );

  it("before the first word is repeated until it works", async () => {
    emulator.script(
      { kind: "refusal", status: 500 },
      { kind: "hang-up" },
      { kind: "completion", text: "Here you are." },
    );
    const outcome = await ask();
    expect(outcome.error).toBeUndefined();
    expect(textOf(outcome)).toBe("Here you are.");
  });

  it("of the primary deployment moves the question to the fallback", async () => {
    emulator.script({ kind: "refusal", status: 404 }, { kind: "completion", text: "The fallback speaks." });
    const outcome = await ask(createModel({ fallbackDeploymentId: "gpt-fallback" }));
    expect(textOf(outcome)).toBe("The fallback speaks.");
    expect(emulator.requests.map(({ body }) => body.model)).toEqual(["gpt-primary", "gpt-fallback"]);
  });

  it.each([
    [401, "its key or token is not accepted"],
    [403, "this identity has no role there"],
    [404, "its address, or the name of its model or deployment, is wrong"],
  ])(
    "of status %i shows with its cause in the deployment's health until a request gets through",
    async (status, why) => {
      emulator.script({ kind: "refusal", status }, { kind: "completion", text: "Hello." });
      const model = createModel();
      const outcome = await ask(model);
      const reason = expect.stringContaining(`answered ${status}: ${why}`);
      expect(outcome.error).toMatchObject({ code: "upstream_unavailable", retryable: false, reason });
      expect(model.health(primary)).toMatchObject({ "gpt-primary": { status: "down", lastReason: reason } });
      await ask(model);
      expect(model.health(primary)).toMatchObject({ "gpt-primary": { status: "healthy" } });
    },
  );

  it("that repeats opens the circuit, and the next question does not reach the vendor", async () => {
    emulator.script(...Array.from({ length: 5 }, () => ({ kind: "refusal" as const, status: 503 })));
    const model = createModel({ retry: { maxAttempts: 4, backoffFactor: 1, jitter: false } });
    await ask(model);
    expect(emulator.requests).toHaveLength(5);
    const outcome = await ask(model);
    expect(outcome.error).toMatchObject({ code: "upstream_unavailable", retryable: true });
    expect(emulator.requests).toHaveLength(5);
    expect(model.health(primary)).toMatchObject({
      "gpt-primary": { status: "down", lastErrorCode: "upstream_unavailable" },
    });
  });

  it("never quotes the prompt or the key", async () => {
    emulator.script({ kind: "refusal", status: 401, code: "context_length_exceeded" });
    const outcome = await ask();
    expect(String(outcome.error)).toContain("context_length_exceeded");
    expect(`${String(outcome.error)} ${JSON.stringify(outcome.error)}`).not.toMatch(/correct-key|Where is my order/);
  });
});
