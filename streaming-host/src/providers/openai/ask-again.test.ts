import { silentLogger } from "@voice/shared/platform/logger";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { describe, expect, it } from "vitest";
import { askAgainWhenSilent } from "./ask-again.ts";

interface Sent {
  readonly pool: number;
  readonly signal: AbortSignal;
  answer(status: number): void;
  fail(error: Error): void;
}

/** A network that answers when it is told to. */
function setUp() {
  const clock = new VirtualClock();
  let pools = 0;
  const closed: number[] = [];
  const sent: Sent[] = [];
  const createConnections = () => {
    const pool = pools++;
    const send: typeof fetch = (_, init) => {
      const answer = Promise.withResolvers<Response>();
      const signal = init?.signal ?? new AbortController().signal;
      signal.addEventListener("abort", () => answer.reject(signal.reason));
      sent.push({
        pool,
        signal,
        answer: (status) => answer.resolve(new Response("", { status })),
        fail: (error) => answer.reject(error),
      });
      return answer.promise;
    };
    return {
      send,
      close: async () => {
        closed.push(pool);
      },
    };
  };
  const ask = askAgainWhenSilent(createConnections, clock, silentLogger);
  const askOnce = (init: RequestInit = {}) => ask("http://model/", { method: "POST", body: "{}", ...init });
  return { clock, sent, closed, askOnce };
}

/** What answers is awaited in several steps. */
const settle = () =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

describe("a request without an answer", () => {
  it("[FAIL-8a] is sent again after 2 s on a new connection, and the first to answer counts", async () => {
    const { clock, sent, closed, askOnce } = setUp();
    const answer = askOnce();
    clock.advance(1999);
    await settle();
    expect(sent).toHaveLength(1);
    clock.advance(1);
    await settle();
    expect(sent.map(({ pool }) => pool)).toEqual([0, 1]);
    sent[1]?.answer(201);
    expect((await answer).status).toBe(201);
    expect(sent[0]?.signal.aborted).toBe(true);
    expect(sent[1]?.signal.aborted).toBe(false);
    expect(closed).toEqual([0]);
    void askOnce();
    expect(sent.at(-1)?.pool).toBe(1);
  });

  it("[FAIL-8a] counts all the same when it comes before the second one's", async () => {
    const { clock, sent, closed, askOnce } = setUp();
    const answer = askOnce();
    clock.advance(2000);
    await settle();
    sent[0]?.answer(202);
    expect((await answer).status).toBe(202);
    expect(sent[1]?.signal.aborted).toBe(true);
    expect(closed).toEqual([1]);
  });

  it("[FAIL-8a] may still get one when either attempt fails, and fails with the first one's reason when both do", async () => {
    const { clock, sent, askOnce } = setUp();
    const answered = askOnce();
    const failed = askOnce();
    clock.advance(2000);
    await settle();
    sent[0]?.fail(new Error("reset"));
    await settle();
    sent[2]?.answer(200);
    expect((await answered).status).toBe(200);
    sent[3]?.fail(new Error("refused"));
    sent[1]?.fail(new Error("reset"));
    await expect(failed).rejects.toThrow("reset");
  });

  it("ends with its signal, however often it was sent", async () => {
    const { clock, sent, askOnce } = setUp();
    const stopping = new AbortController();
    const answer = askOnce({ signal: stopping.signal });
    clock.advance(2000);
    await settle();
    stopping.abort(new Error("nobody waits any more"));
    await expect(answer).rejects.toThrow("nobody waits any more");
    expect(sent.map(({ signal }) => signal.aborted)).toEqual([true, true]);
    expect(clock.pendingTimers).toBe(0);
  });

  it("is not sent twice when its body can be read only once", async () => {
    const { clock, sent, askOnce } = setUp();
    const answer = askOnce({ body: new FormData() });
    clock.advance(5000);
    await settle();
    expect(sent).toHaveLength(1);
    sent[0]?.answer(200);
    expect((await answer).status).toBe(200);
  });

  it("[FAIL-8b] is not sent twice by everybody while the service is slow", async () => {
    const { clock, sent, askOnce } = setUp();
    for (let count = 0; count < 30; count++) void askOnce().catch(() => undefined);
    clock.advance(2000);
    await settle();
    expect(sent).toHaveLength(40);
  });

  it("is sent once when the answer, good or bad, is in time", async () => {
    const { clock, sent, askOnce } = setUp();
    const good = askOnce();
    const bad = askOnce();
    sent[0]?.answer(200);
    sent[1]?.fail(new Error("refused"));
    expect((await good).status).toBe(200);
    await expect(bad).rejects.toThrow("refused");
    expect(clock.pendingTimers).toBe(0);
    expect(sent).toHaveLength(2);
  });
});
