import { defineTool, failed } from "@voice/tool-kit";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createLogger } from "../../platform/logger.ts";
import { VirtualClock } from "../../platform/virtual-clock.ts";
import { createMemoryState } from "../../state/memory/create-memory-state.ts";
import { createIdentityChecks } from "../identity/identity-checks.ts";
import { mergedMemory } from "../../testing/merged-memory.ts";
import { runTools } from "../run-tools.ts";
import { describeThrownFor } from "./describe-thrown.ts";
import { createCodeTool, maxMemoryCharacters } from "./code-tool.ts";

function rig(definition: Parameters<typeof createCodeTool>[0]) {
  const clock = new VirtualClock(Date.UTC(2026, 2, 21));
  const lines: string[] = [];
  const logger = createLogger({ level: "info", name: "test", destination: { write: (line) => void lines.push(line) } });
  const tool = createCodeTool(definition, logger);
  const interruption = new AbortController();
  const { counters } = createMemoryState({ clock });
  const checks = createIdentityChecks(counters, () => "ada", false);
  const call = (args: object, times = 1, secondOrder?: string) =>
    runTools(
      Array.from({ length: times }, (_, index) => ({
        id: String(index),
        name: tool.name,
        argumentsJson: JSON.stringify(index > 0 && secondOrder !== undefined ? { order: secondOrder } : args),
      })),
      {
        tools: new Map([[tool.name, tool]]),
        context: { sessionId: "s-1", turnId: "t-1", agent: "waiter", memory: { table: 4 }, clock, checks },
        interrupted: interruption.signal,
      },
    );
  return { clock, lines, tool, call, interrupt: () => interruption.abort() };
}

const order = z.object({ order: z.string().regex(/^\d{4}$/) });

describe("a tool of TOOLS_DIR", () => {
  it("gets checked arguments and the conversation, and tells the fields that its result promises", async () => {
    const { call } = rig(
      defineTool({
        name: "order_status",
        description: "Looks an order up.",
        parameters: order,
        result: z.object({ state: z.string(), at: z.number() }),
        run: ({ order: number }, { sessionId, agent, memory, now, remember }) => {
          remember({ last_order: number });
          return { state: `${sessionId} ${agent} ${String(memory["table"])}`, at: now(), secret: "of the back end" };
        },
      }),
    );
    const results = await call({ order: "4412" });
    expect(results[0]?.result).toEqual({ success: true, state: "s-1 waiter 4", at: Date.UTC(2026, 2, 21) });
    expect(mergedMemory(results)).toEqual({ last_order: "4412" });
    expect((await call({ order: "soup" }))[0]?.result).toMatchObject({ success: false, error: "invalid_arguments" });
  });

  it("[CODE-5b] says in its own words why it could not", async () => {
    const run = () => failed("no_such_order", "There is no order with this number.", { open: 2 });
    const { call } = rig(defineTool({ name: "look", description: "Looks.", parameters: order, run }));
    const [result] = await call({ order: "9999" });
    expect(result).toMatchObject({ status: "error", result: { error: "no_such_order", open: 2 } });
    expect(result?.result["message"]).toBe("There is no order with this number.");
  });

  it("[CODE-5a] fails in words for the model when it throws, and in the log with the place and without the words", async () => {
    const run = (): never => {
      throw new Error("no row for Ada Lovelace, +12065550142");
    };
    const { call, lines } = rig(defineTool({ name: "look", description: "Looks.", parameters: order, run }));
    const [result] = await call({ order: "4412" });
    expect(result?.result).toEqual({
      success: false,
      error: "internal_error",
      message: '"look" failed. Tell the caller, and offer another way.',
    });
    expect(lines.join("")).toContain("code-tool.test.ts");
    expect(lines.join("")).toContain('"tool":"look"');
    expect(lines.join("")).not.toContain("Lovelace");
  });

  it("[CODE-5d] says in a developer's own log what it threw, and nowhere else", () => {
    const error = new Error("column x does not exist", { cause: new Error("from the database") });
    expect(describeThrownFor({ environment: "development", telemetry: [] })(error)).toEqual({
      said: "Error: column x does not exist (because of Error: from the database)",
    });
    expect(describeThrownFor({ environment: "production", telemetry: [] })(error)).toEqual({});
    expect(describeThrownFor({ environment: "development", telemetry: ["otlp"] })(error)).toEqual({});
  });

  it("fails when its result is not what it promises", async () => {
    const definition = defineTool({
      name: "look",
      description: "Looks.",
      parameters: order,
      result: z.object({ state: z.string() }),
      run: () => JSON.parse("{}"),
    });
    const { call, lines } = rig(definition);
    expect((await call({ order: "4412" }))[0]?.result).toMatchObject({ success: false, error: "internal_error" });
    expect(lines.join("")).toContain("not of the form that it promises");
  });

  it("[CODE-4] is given up when it hangs, and is told so", async () => {
    let given: AbortSignal | undefined;
    const definition = defineTool({
      name: "look",
      description: "Looks.",
      parameters: order,
      timeoutMs: 2000,
      run: (_args, { signal }) => {
        given = signal;
        return new Promise<never>(() => undefined);
      },
    });
    const { call, clock, lines } = rig(definition);
    const calling = call({ order: "4412" });
    await clock.advanceAsync(2000, 100);
    expect((await calling)[0]?.result).toMatchObject({ success: false, error: "timeout" });
    expect(given?.aborted).toBe(true);
    expect(lines).toEqual([expect.stringContaining("a tool of TOOLS_DIR took too long")]);
  });

  it("[CODE-4] has one line in the log when it misses its deadline, also where it ends by its signal", async () => {
    const definition = defineTool({
      name: "look",
      description: "Looks.",
      parameters: order,
      timeoutMs: 2000,
      run: (_args, { signal }) =>
        new Promise<never>((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
    });
    const { call, clock, lines } = rig(definition);
    const calling = call({ order: "4412" });
    await clock.advanceAsync(2000, 100);
    await calling;
    expect(lines).toEqual([expect.stringContaining('"tool":"look"')]);
  });

  it("is called off by an interruption, unless it has side effects and has begun; then each call waits for the one before", async () => {
    const running: string[] = [];
    const definition = (sideEffects: boolean) =>
      defineTool({
        name: "book",
        description: "Books.",
        parameters: order,
        sideEffects,
        run: async () => {
          running.push("begun");
          await Promise.resolve();
          running.push("done");
          return {};
        },
      });
    const reading = rig(definition(false));
    reading.interrupt();
    expect((await reading.call({ order: "4412" }))[0]?.result).toMatchObject({ error: "cancelled" });
    const booking = rig(definition(true));
    expect((await booking.call({ order: "4412" }, 2, "4413")).map(({ status }) => status)).toEqual([
      "success",
      "success",
    ]);
    expect(running).toEqual(["begun", "done", "begun", "done"]);
    const calling = booking.call({ order: "4412" }, 2, "4413");
    booking.interrupt();
    expect((await calling).map(({ result }) => result["error"])).toEqual([undefined, "cancelled"]);
    expect(running.slice(4)).toEqual(["begun", "done"]);
  });

  it("[CODE-7] remembers what JSON can hold, and fails where it is given anything else, because no session could be stored with it", async () => {
    const value = { amount: 5n, at: new Date(0) };
    const remembering = (of: (keyof typeof value)[]) =>
      defineTool({
        name: "book",
        description: "Books.",
        parameters: z.object({}),
        run: (_args, { remember }) => {
          for (const key of of) remember({ [key]: value[key] });
          return { booked: true };
        },
      });
    const { call, lines } = rig(remembering(["at", "amount"]));
    const [broken] = await call({});
    expect(broken).toMatchObject({ status: "error", memory: {} });
    expect(lines.join("\n")).toContain("code-tool.test.ts");
    expect(mergedMemory(await rig(remembering(["at"])).call({}))).toEqual({ at: "1970-01-01T00:00:00.000Z" });
  });

  it("[CODE-8] fails where more is remembered than a conversation may, and stores nothing of the call", async () => {
    const remembering = (characters: number) =>
      defineTool({
        name: "book",
        description: "Books.",
        parameters: z.object({}),
        run: (_args, { remember }) => {
          remember({ first: "x".repeat(characters) });
          remember({ second: "y".repeat(characters) });
          return { booked: true };
        },
      });
    const { call, lines } = rig(remembering(maxMemoryCharacters / 2));
    expect((await call({}))[0]).toMatchObject({ status: "error", memory: {} });
    expect(lines.join("\n")).toContain(`may have ${maxMemoryCharacters}`);
    expect((await rig(remembering(maxMemoryCharacters / 2 - 50)).call({}))[0]).toMatchObject({ status: "success" });
  });

  it("[CODE-6] logs words and numbers, and of other texts only that there were some", async () => {
    const definition = defineTool({
      name: "look",
      description: "Looks.",
      parameters: order,
      run: (_args, { log }) => {
        log.info("the order was found", { state: "in_oven", tries: 2, caller: "Ada Lovelace" });
        return {};
      },
    });
    const { call, lines } = rig(definition);
    await call({ order: "4412" });
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({
      msg: "the order was found",
      tool: "look",
      sessionId: "s-1",
      state: "in_oven",
      tries: 2,
      caller: "(left out)",
    });
  });
});

describe("a tool of TOOLS_DIR that changes something", () => {
  const booking = (run: () => Readonly<Record<string, unknown>>, more: object = {}) =>
    rig(defineTool({ name: "book", description: "Books.", parameters: order, sideEffects: true, run, ...more })).call({
      order: "4412",
    });

  it("[CODE-5c] [TOOL-4a] may have changed it where it throws, and has not where it throws what `failed` gives", async () => {
    const [broken] = await booking(() => {
      throw new Error("the connection was reset");
    });
    expect(broken?.result).toMatchObject({ success: false, error: "outcome_unknown" });
    expect(broken?.result["note"]).toMatch(/may have been done all the same/);
    const full: unknown = failed("fully_booked", "There is no table left.");
    const [refused] = await booking(() => {
      throw full;
    });
    expect(refused?.result).toEqual({ success: false, error: "fully_booked", message: "There is no table left." });
  });

  it("[TOOL-5] has done it although its result cannot be used", async () => {
    for (const result of [() => ({ table: 5n }), () => ({ seats: "two" })]) {
      const [done] = await booking(result, { result: z.object({ table: z.bigint() }) });
      expect(done?.result).toMatchObject({ success: true, note: expect.stringContaining("It was done") });
    }
  });
});
