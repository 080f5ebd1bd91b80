/** Over a real socket, with answers as the service's REST reference shows them (Documents - Search Post, 2024-07-01). */
import { createServer } from "node:http";
import type { Server } from "node:http";
import type { SearchIndex } from "@voice/shared/knowledge/knowledge-source";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createAzureSearch } from "./azure-search.ts";

const { signal } = new AbortController();
const source: SearchIndex = {
  kind: "index",
  index: "law-2026",
  fields: { text: "chunk", title: "meta/title", source: "url", vector: "chunk_vector" },
  semanticConfiguration: "default",
  filter: "year ge 2020",
};
let server: Server;
let endpoint: string;
let answer: { status: number; body: string };
let received: { url?: string | undefined; headers: NodeJS.Dict<string | string[]>; body: unknown }[];

beforeAll(async () => {
  server = createServer((request, response) => {
    let text = "";
    request.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
    request.on("end", () => {
      received.push({ url: request.url, headers: request.headers, body: JSON.parse(text) });
      response.writeHead(answer.status, { "content-type": "application/json" }).end(answer.body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  endpoint = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
});
afterAll(() => void server.close());
beforeEach(() => {
  received = [];
  answer = { status: 200, body: '{"value":[]}' };
});

const withKey = () => createAzureSearch(endpoint, { key: "k" });

describe("an index of Azure AI Search", () => {
  it("[KNOW-6] is asked by words, by meaning and in order of meaning, with a key", async () => {
    await withKey()(source, "who pays?", signal);
    expect(received).toMatchObject([
      {
        url: "/indexes/law-2026/docs/search?api-version=2024-07-01",
        headers: { "api-key": "k" },
        body: {
          search: "who pays?",
          top: 4,
          select: "chunk,meta/title,url",
          filter: "year ge 2020",
          queryType: "semantic",
          semanticConfiguration: "default",
          vectorQueries: [{ kind: "text", text: "who pays?", fields: "chunk_vector", k: 4 }],
        },
      },
    ]);
  });

  it("[KNOW-6] is asked with a token of the process where there is no key", async () => {
    const search = createAzureSearch(endpoint, { token: () => Promise.resolve("t") });
    await search({ kind: "index", index: "a", fields: { text: "chunk" } }, "q", signal);
    expect(received[0]?.headers).toMatchObject({ authorization: "Bearer t" });
    expect(received[0]?.body).toEqual({ search: "q", top: 4, select: "chunk" });
  });

  it("[KNOW-6] answers with passages, their titles and their sources", async () => {
    answer.body = JSON.stringify({
      "@odata.count": 3,
      value: [
        {
          "@search.score": 2.1,
          "@search.rerankerScore": 3.2,
          chunk: "The owner pays.",
          meta: { title: "§ 4" },
          url: "https://a.example/4",
        },
        { "@search.score": 1.1, chunk: "Or the tenant.", meta: null },
        { "@search.score": 0.1, chunk: null },
      ],
    });
    expect(await withKey()(source, "who pays?", signal)).toEqual([
      { text: "The owner pays.", title: "§ 4", source: "https://a.example/4" },
      { text: "Or the tenant.", title: "law-2026", source: "law-2026" },
    ]);
  });

  it.each([
    [401, "{}", /does not accept the key/],
    [403, "{}", /Search Index Data Reader/],
    [404, "{}", /no such index/],
    [503, "busy", /answered 503$/],
    [200, "<html>", /could not be read/],
    [200, '{"value":"x"}', /could not be read/],
  ])("says what is wrong when it answers %d %s", async (status, body, message) => {
    answer = { status, body };
    await expect(withKey()(source, "q", signal)).rejects.toMatchObject({
      code: "upstream_unavailable",
      message: expect.stringMatching(message),
    });
  });

  it("is unavailable where nobody listens", async () => {
    const search = createAzureSearch("http://127.0.0.1:1", { key: "k" });
    await expect(search(source, "q", signal)).rejects.toMatchObject({ code: "upstream_unavailable" });
  });
});
