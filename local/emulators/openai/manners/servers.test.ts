import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { completionRequestSchema } from "../completion-request.ts";
import type { CompletionRequest } from "../completion-request.ts";
import type { ServerRow } from "./manner.ts";
import { servers } from "./servers.ts";

const plain: CompletionRequest = {
  model: "m",
  messages: [
    { role: "system", content: "Be brief." },
    { role: "user", content: "Hello." },
  ],
};
const call = (id: string, name: string, json = "{}") => ({
  id,
  type: "function" as const,
  function: { name, arguments: json },
});
const called: CompletionRequest = {
  ...plain,
  messages: [
    { role: "system", content: "Be brief." },
    { role: "assistant", content: "Hello." },
    { role: "system", content: "The caller interrupted." },
    { role: "user", content: "Look." },
    {
      role: "assistant",
      content: null,
      tool_calls: [call("call_1", "multi_tool_use.parallel", "{"), call("call_2", "look")],
    },
    { role: "tool", tool_call_id: "call_1", content: "{}" },
    { role: "tool", tool_call_id: "call_2", content: "{}" },
    { role: "user", content: "Hello?" },
    { role: "assistant", content: "Cards here." },
  ],
};
/** What OpenAI accepts, and each manner refuses one of. */
const unusual: readonly CompletionRequest[] = [
  called,
  {
    ...plain,
    temperature: 0.7,
    top_p: 0.9,
    max_tokens: 100,
    stream_options: { include_usage: true },
    reasoning_effort: "none",
  },
  { ...plain, tools: [{ type: "function", function: { name: "a", parameters: { type: "object", properties: {} } } }] },
  {
    ...plain,
    tools: [
      {
        type: "function",
        function: {
          name: "a",
          parameters: { type: "object", properties: { a: { const: 1 } }, additionalProperties: false },
        },
      },
    ],
  },
  { ...plain, messages: [...plain.messages, { role: "user", content: "long ".repeat(5_000) }] },
];

const rows: readonly ServerRow[] = servers;
const manners = rows.flatMap(({ name, manners: own }) => own.map((manner) => ({ server: name, ...manner })));

describe("the matrix of manners", () => {
  it("has at least forty, each with its source, and no row twice", () => {
    expect(new Set(manners.map(({ about, source }) => `${about} ${source}`)).size).toBeGreaterThanOrEqual(40);
    for (const { source } of manners) expect(source).toMatch(/\w{3}/);
    expect(new Set(rows.map(({ name }) => name)).size).toBe(rows.length);
  });

  it.each(manners.filter(({ refuses }) => refuses !== undefined))(
    "$server refuses what it says: $about",
    ({ refuses }) => {
      expect(unusual.every((request) => completionRequestSchema.safeParse(request).success)).toBe(true);
      expect(unusual.some((request) => refuses?.(request) !== undefined)).toBe(true);
    },
  );

  it("stands in docs/models.md, line for line", () => {
    const document = readFileSync(new URL("../../../../docs/models.md", import.meta.url), "utf8");
    // Speech servers have a table of their own before it.
    const written = document
      .slice(document.indexOf("## What is known of servers"))
      .split("\n")
      .filter((line) => /^\| `(?!--)/.test(line))
      .map((line) => line.replaceAll(/ +/g, " "));
    const expected = rows.flatMap(({ name, title, manners: own }) =>
      own.map(({ about, source }, place) =>
        `| ${place === 0 ? `\`${name}\`` : "`…`"} | ${place === 0 ? title : ""} | ${about} | ${source} |`.replaceAll(
          / +/g,
          " ",
        ),
      ),
    );
    expect(written).toEqual(expected);
  });
});
