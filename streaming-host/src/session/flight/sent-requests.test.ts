import { z } from "zod";
import { expect, it } from "vitest";
import { RequestEncoder } from "./sent-requests.ts";
import type { SentMessage, SentRequest } from "./sent-requests.ts";

const encoded = z.looseObject({ isWhole: z.boolean(), messages: z.array(z.unknown()), tools: z.unknown() });
const tools = [{ name: "check_balance", description: "Says the balance", parameters: {} }];

function request(...contents: readonly string[]): SentRequest {
  const messages = contents.map((content): SentMessage => ({ role: "user", content }));
  return {
    atMs: 1,
    kind: "language_model",
    agent: "Concierge",
    model: "gpt",
    settings: {},
    messages,
    tools,
    outcome: "completed",
  };
}

it("[TIMELINE-4] names by its place what was in the request before, wherever it was", () => {
  const encoder = new RequestEncoder();
  const encode = (...contents: readonly string[]) => encoded.parse(JSON.parse(encoder.encode(request(...contents))));
  expect(encode("prompt", "hello")).toMatchObject({ isWhole: true, messages: [{}, {}], tools });
  expect(encode("another prompt", "hello", "bye")).toMatchObject({
    isWhole: false,
    messages: [{ content: "another prompt" }, 1, { content: "bye" }],
    tools: null,
  });
  expect(encode("another prompt", "bye")).toMatchObject({ messages: [0, 2] });
});

it("[TIMELINE-4] stores one in sixteen whole, and of a request that is too long only that there was one", () => {
  const encoder = new RequestEncoder();
  const isWhole = (text: string): boolean => encoded.parse(JSON.parse(text)).isWhole;
  const wholes = Array.from({ length: 33 }, () => isWhole(encoder.encode(request("prompt"))));
  expect(wholes.flatMap((whole, index) => (whole ? [index] : []))).toEqual([0, 16, 32]);
  const long = encoded.parse(JSON.parse(encoder.encode(request("x".repeat(300_000)))));
  expect(long).toMatchObject({ isTooLong: true, messages: [] });
  expect(isWhole(encoder.encode(request("prompt")))).toBe(true);
});
