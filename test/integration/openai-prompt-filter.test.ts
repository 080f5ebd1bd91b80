import { once } from "node:events";
import { createServer } from "node:http";
import { startOpenAiEmulator } from "@voice/local/emulators/openai/emulator";
import type { OpenAiEmulator } from "@voice/local/emulators/openai/emulator";
import type { OpenAiLanguageModelOptions } from "@voice/streaming-host/providers/openai/language-model";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { collect, createRequest, modelAt } from "../support/openai-questions.ts";

let emulator: OpenAiEmulator;

beforeEach(async () => {
  emulator = await startOpenAiEmulator({ key: "correct-key" });
});

afterEach(() => emulator.close());

const createModel = (options: Partial<OpenAiLanguageModelOptions> = {}) => modelAt(emulator, options);
const neverAborted = new AbortController().signal;
const ask = (model = createModel(), request = createRequest()) => collect(model.stream(request, neverAborted));

const primary = new Set(["gpt-primary"]);

describe("[MODEL-2] a filter", () => {
  it("proves nothing about a request that was changed before, because it looks at the prompt alone", async () => {
    const model = createModel();
    const message = "`temperature` and `top_p` cannot both be specified for this model";
    emulator.script({ kind: "refusal", status: 400, code: "invalid_request_error", message });
    emulator.script({ kind: "refusal", status: 400, code: "content_filter" }, { kind: "completion", text: "Hello." });
    const request = createRequest({ settings: { deploymentId: "gpt-primary", temperature: 0.7, topP: 0.9 } });
    expect((await ask(model, request)).events).toEqual([{ type: "finished", reason: "content-filter" }]);
    expect(model.learnt(primary)).toEqual({});
    await ask(model, request);
    expect(emulator.requests.map(({ body }) => body.top_p)).toEqual([0.9, undefined, 0.9]);
  });

  it.each([
    { code: "content_filter", innererror: { code: "ResponsibleAIPolicyViolation" } },
    { code: "400", innererror: { code: "ResponsibleAIPolicyViolation", content_filter_result: {} } },
    { code: "content_policy_violation" },
    { code: "data_inspection_failed" },
    { code: 400, type: "safety" },
    { code: "invalid_prompt", message: "Invalid prompt: your prompt was flagged as potentially violating our policy." },
    { code: 403, message: "This model requires moderation.", metadata: { reasons: ["x"], flagged_input: "…" } },
    { code: 403, message: "Your chosen model requires moderation and your input was flagged" },
  ])("that refuses a prompt is known by its code or words, wherever they are: %j", async (error) => {
    const server = createServer((_request, response) => {
      response
        .writeHead(error.code === 403 ? 403 : 400, { "content-type": "application/json" })
        .end(JSON.stringify({ error: { message: "No.", ...error } }));
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    const port = typeof address === "object" ? address?.port : undefined;
    expect(await ask(createModel({ endpoint: `http://127.0.0.1:${port}/v1/` }))).toEqual({
      events: [{ type: "finished", reason: "content-filter" }],
    });
    server.closeAllConnections();
    server.close();
  });
});
