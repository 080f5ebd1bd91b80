import { httpToolFile, toHttpTool } from "@voice/shared/catalog/http-tool-file";
import { Templates } from "@voice/shared/catalog/template";
import { VoiceError } from "@voice/shared/platform/errors";
import { createLogger } from "@voice/shared/platform/logger";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import type { Customer } from "@voice/shared/tools/customer";
import { runTools } from "@voice/shared/tools/run-tools";
import { describe, expect, it } from "vitest";
import { createHttpTools } from "./http-tools.ts";
import type { HttpAnswer } from "./read-answer.ts";
import type { HttpSender } from "./send-request.ts";

const silent: HttpSender["send"] = (_filled, { signal }) =>
  new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });

interface CallOptions {
  readonly interruptAtMs?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly customer?: Customer;
}

/** Calls a tool once, against a service that answers so; `interruptAtMs` is when the caller speaks. */
async function call(send: HttpSender["send"], { interruptAtMs = 10_000, headers = {}, customer }: CallOptions = {}) {
  const clock = new VirtualClock();
  const lines: string[] = [];
  const logger = createLogger({ level: "info", name: "test", destination: { write: (line) => void lines.push(line) } });
  const file = httpToolFile.parse({
    description: "Looks an order up.",
    request: {
      url: "https://orders.example/{{ args.order }}",
      headers: { authorization: "{{ secrets.TOKEN }}", ...headers },
    },
    response: { result: { state: "state" }, errors: { 404: "There is no such order." } },
    parameters: { type: "object", properties: { order: { type: "string" } } },
    timeout_ms: 5000,
  });
  const interruption = new AbortController();
  clock.setTimer(interruptAtMs, () => interruption.abort());
  const running = runTools([{ id: "1", name: "order_status", argumentsJson: '{"order":"ada@example.com"}' }], {
    tools: createHttpTools(new Map([["order_status", toHttpTool("order_status", file)]]), {
      templates: new Templates(),
      secrets: new Map([["TOKEN", "s3cret"]]),
      sender: { send },
      logger,
    }),
    context: {
      sessionId: "s-1",
      turnId: "t-1",
      agent: "waiter",
      memory: {},
      clock,
      customer,
      checks: { showsCodes: false, countTry: () => Promise.resolve(1), clearTries: () => Promise.resolve() },
    },
    interrupted: interruption.signal,
  });
  await clock.advanceAsync(5000);
  const [result] = await running;
  return { result: result?.result, log: lines.join("") };
}

const answer = (status: number, body: string) => (): Promise<HttpAnswer> => Promise.resolve({ status, body });

describe("the log of an HTTP tool", () => {
  it("says nothing of answers that the tool expects", async () => {
    expect(await call(answer(200, '{"state":"shipped"}'))).toEqual({
      result: { success: true, state: "shipped" },
      log: "",
    });
    expect((await call(answer(404, "no such row"))).log).toBe("");
  });

  it.each([
    ["a refusal", answer(401, "bad key s3cret"), '"code":"http_401"'],
    ["a page in another's place", answer(200, "<html>Sign in, ada@example.com</html>"), '"answer":"is a web page"'],
    ["an answer in another form", answer(200, "Sign in, ada@example.com"), '"answer":"is not JSON"'],
    ["an answer without content", answer(204, ""), '"answer":"is empty"'],
    ["an answer that lacks a field", answer(200, '{"who":"ada@example.com"}'), '"answer":"lacks state"'],
    [
      "a host that cannot be reached",
      () => Promise.reject(new VoiceError("upstream_unavailable", "the host did not answer")),
      "the host did not answer",
    ],
    ["a host that is silent", silent, "TimeoutError"],
  ])(
    "names the tool and the reason of %s, and nothing that the caller or the service said",
    async (_what, send, why) => {
      const { result, log } = await call(send);
      expect(result).toMatchObject({ success: false });
      expect(log).toContain(why);
      expect(log).toContain('"tool":"order_status"');
      expect(log).toContain('"sessionId":"s-1"');
      expect(log).not.toMatch(/s3cret|ada@|Sign in/);
    },
  );

  it("says nothing of a request that the caller called off", async () => {
    const { result, log } = await call(silent, { interruptAtMs: 100 });
    expect(result).toMatchObject({ error: "cancelled" });
    expect(log).toBe("");
  });
});

it("[CUSTOMER-4] an HTTP tool fails while customers are away only if it names the customer", async () => {
  const away = new VoiceError("upstream_unavailable", "the customers could not be asked");
  const customer: Customer = {
    id: "unknown",
    get document(): never {
      throw away;
    },
    update: () => Promise.reject(away),
  };
  const shipped = answer(200, '{"state":"shipped"}');
  expect((await call(shipped, { customer })).result).toEqual({ success: true, state: "shipped" });
  const headers = { "x-customer": "{{ customer.id }}" };
  expect((await call(shipped, { customer, headers })).result).toMatchObject({ error: "upstream_unavailable" });
});
