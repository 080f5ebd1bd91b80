import { expect, it } from "vitest";
import { boundedFetch, longestAnswerBytes } from "./bounded-fetch.ts";

const mebibyte = 1024 * 1024;

/** Answers with this piece, so many times or for ever. */
function answering(piece: string, { type = "application/json", times = Number.POSITIVE_INFINITY } = {}) {
  let sent = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (sent >= piece.length * times) controller.close();
      else controller.enqueue(Buffer.from(piece));
      sent += piece.length;
    },
  });
  const fetch = boundedFetch(() => Promise.resolve(new Response(body, { headers: { "content-type": type } })));
  return { fetch, sent: () => sent };
}

it("An answer of a tool server is read as it is", async () => {
  const { fetch } = answering("[]", { times: 1 });
  const answer = await fetch("http://tools.example/mcp");
  expect(answer.headers.get("content-type")).toBe("application/json");
  expect(await answer.json()).toEqual([]);
});

it.each(["application/json", "text/event-stream"])("An endless answer of the type %s is given up", async (type) => {
  const { fetch, sent } = answering("x".repeat(mebibyte), { type });
  const answer = await fetch("http://tools.example/mcp");
  await expect(answer.text()).rejects.toMatchObject({ code: "upstream_unavailable" });
  expect(sent()).toBeLessThan(longestAnswerBytes + 4 * mebibyte);
});

it("A stream of events goes on, however much it was altogether", async () => {
  const event = `data: ${"x".repeat(mebibyte)}\n\n`;
  const { fetch } = answering(event, { type: "text/event-stream", times: 8 });
  const answer = await fetch("http://tools.example/mcp");
  expect(await answer.text()).toHaveLength(8 * event.length);
});

it("An answer to a call that does not come to its end is given up, and a stream of the server's own is not", async () => {
  const late = new AbortController();
  const asked: (AbortSignal | null | undefined)[] = [];
  const fetch = boundedFetch(
    (_url, init) => {
      asked.push(init?.signal);
      return Promise.resolve(new Response(null, { status: 202 }));
    },
    () => late.signal,
  );
  const closing = new AbortController();
  await fetch("http://tools.example/mcp", { method: "POST", signal: closing.signal });
  await fetch("http://tools.example/mcp", { method: "GET", signal: closing.signal });
  late.abort();
  expect(asked.map((signal) => signal?.aborted)).toEqual([true, false]);
  closing.abort();
  expect(asked.map((signal) => signal?.aborted)).toEqual([true, true]);
});
