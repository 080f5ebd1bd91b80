import { expect, it } from "vitest";
import { createFailureLogger } from "./failure-logger.ts";

function told(tell: (logger: ReturnType<typeof createFailureLogger>) => void): readonly string[] {
  const lines: string[] = [];
  tell(createFailureLogger((text) => void lines.push(...text.split("\n"))));
  return lines;
}

it("names the tool, the error in its own words and where it was thrown, and what caused it", () => {
  const cause = new TypeError("fetch failed");
  const error = new Error("order 4412 is unknown", { cause });
  const lines = told((logger) =>
    logger.child({ tool: "order_status", sessionId: "s" }).warn({ error }, "a tool failed"),
  );
  expect(lines).toEqual([
    "order_status: a tool failed",
    "    Error: order 4412 is unknown",
    expect.stringMatching(/^ {4}at .*failure-logger\.test\.ts(\?vitest=\d+)?:\d+:\d+\)?$/),
    "    TypeError: fetch failed",
    expect.stringMatching(/^ {4}at /),
  ]);
});

it("tells a status, nothing of what went well, and no error of a server, whose address may have a key in it", () => {
  const lines = told((logger) => {
    logger.info({ tool: "order_status" }, "an order was looked up");
    logger.warn({ tool: "order_status", status: 404, code: "http_404" }, "an HTTP tool was refused");
    logger.warn({ server: "shop", error: new Error("https://key@shop.example") }, "tool server is not connected");
    logger.warn({ server: "shop", tool: "look_up" }, "a server's tool is left out");
  });
  expect(lines).toEqual([
    "order_status: an HTTP tool was refused (404)",
    "shop: tool server is not connected",
    "shop: look_up: a server's tool is left out",
  ]);
});
