import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { typedAction } from "./action.ts";
import { readTypedLines } from "./typed-lines.ts";

describe("a line that is typed during a call", () => {
  it("is spoken, unless it is keys or nothing", () => {
    expect(typedAction(" my card is gone ")).toEqual({ kind: "say", text: "my card is gone" });
    expect(typedAction("12#")).toEqual({ kind: "press", keys: "12#" });
    expect(typedAction("12 people")).toEqual({ kind: "say", text: "12 people" });
    expect(typedAction("  ")).toBeUndefined();
  });

  it("is kept when it comes long before anybody asks for it", async () => {
    const input = new PassThrough();
    const typed = readTypedLines(input);
    input.end("I lost my card\n\nGoodbye\n");
    await new Promise((resolve) => {
      input.once("end", resolve);
    });
    const actions = [];
    for await (const action of typed) actions.push(action);
    expect(actions).toEqual([
      { kind: "say", text: "I lost my card" },
      { kind: "say", text: "Goodbye" },
    ]);
  });

  it("ends the typing when the call is over", async () => {
    const typed = readTypedLines(new PassThrough());
    const next = typed[Symbol.asyncIterator]().next();
    typed.close();
    expect((await next).done).toBe(true);
  });
});
