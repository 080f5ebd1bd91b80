import { APIError } from "openai";
import { describe, expect, it } from "vitest";
import { RefusedValues } from "../refused-values.ts";
import { refusedParameter, rememberRefused, withoutRefused } from "./refused-parameters.ts";
import type { Adjustment } from "./refused-parameters.ts";

const refusal = (status: number, error: object): APIError =>
  APIError.generate(status, { error }, undefined, new Headers());

describe("what a server refuses", () => {
  it.each<[server: string, status: number, error: object, parameter: string | undefined]>([
    ["OpenAI", 400, { code: "unsupported_value", param: "temperature", message: "Unsupported value" }, "temperature"],
    [
      "vLLM",
      400,
      {
        message:
          "[{'type': 'extra_forbidden', 'loc': ('body', 'stream_options'), 'msg': 'Extra inputs are not permitted'}]",
      },
      "stream_options",
    ],
    [
      "vLLM, of a longer name",
      400,
      { message: "[{'type': 'extra_forbidden', 'loc': ('body', 'max_completion_tokens')}]", code: 400, param: null },
      "max_completion_tokens",
    ],
    ["a gateway", 422, { message: "Extra inputs are not permitted: reasoning_effort" }, "reasoning_effort"],
    ["Ollama", 400, { message: 'think value "medium" is not supported for this model' }, "reasoning_effort"],
    ["Mistral's template", 400, { message: "conversation roles must alternate user/assistant" }, "order"],
    ["llama.cpp", 500, { message: "Jinja Exception: System message must be at the beginning." }, "order"],
    ["a mistake of ours", 400, { message: "messages: unexpected role" }, undefined],
    ["a server that is ill", 500, { message: "temperature is not supported" }, undefined],
  ])("is understood of %s", (_server, status, error, parameter) => {
    expect(refusedParameter(refusal(status, error))).toBe(parameter);
  });

  it("is left out, and the limit gets its other name", () => {
    const wanted = { model: "m", messages: [], stream: true as const, max_tokens: 9 };
    const params = { ...wanted, stream_options: { include_usage: true } };
    const refused = new RefusedValues<Adjustment>();
    rememberRefused("stream_options", refusal(400, { message: "Extra inputs are not permitted" }), params, refused);
    rememberRefused("max_tokens", refusal(400, { code: "unsupported_parameter" }), params, refused);
    expect(withoutRefused(params, refused)).toEqual({
      model: "m",
      messages: [],
      stream: true,
      max_completion_tokens: 9,
    });
  });

  it.each<[said: string, error: object, isTakenFromOthers: boolean]>([
    ["a value", { code: "unsupported_value", param: "reasoning_effort", message: "Unsupported value: 'xhigh'" }, false],
    ["a value in words", { message: "reasoning_effort: Input should be 'low' or 'high'" }, false],
    ["a parameter", { code: "unsupported_parameter", param: "reasoning_effort", message: "Unsupported" }, true],
    ["a parameter in words", { message: "Extra inputs are not permitted: reasoning_effort" }, true],
  ])("takes a parameter from other agents only if the server refused %s", (_said, error, isTakenFromOthers) => {
    const refused = new RefusedValues<Adjustment>();
    const bad = { model: "m", messages: [], stream: true as const, reasoning_effort: "xhigh" as const };
    const usual = { ...bad, reasoning_effort: "low" as const };
    rememberRefused("reasoning_effort", refusal(400, error), bad, refused);
    expect(withoutRefused(bad, refused)).not.toHaveProperty("reasoning_effort");
    expect("reasoning_effort" in withoutRefused(usual, refused)).toBe(!isTakenFromOthers);
  });
});
