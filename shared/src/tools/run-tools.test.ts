import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { VirtualClock } from "../platform/virtual-clock.ts";
import { defineTool, toolSchema } from "./define-tool.ts";
import { NotDoneError } from "./not-done-error.ts";
import { failed } from "./outcome.ts";
import { mergedMemory } from "../testing/merged-memory.ts";
import { runTools, type RunToolsOptions } from "./run-tools.ts";
import type { ToolCall } from "./tool-call.ts";
import { createToolRegistry } from "./tool-registry.ts";
import type { Tool, ToolContext, ToolOutcome } from "./tool.ts";

const clock = new VirtualClock();

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => {
    clock.setTimer(ms, resolve);
  });
}

const echo = defineTool({
  name: "echo",
  description: "Says it back.",
  parameters: z.object({ text: z.string(), times: z.int().max(3).default(1) }),
  run: ({ text, times }) => ({ result: { success: true, text: text.repeat(times) }, memory: { last: text } }),
});

function slow(
  name: string,
  ms: number,
  more: Partial<Pick<Tool, "timeoutMs" | "onInterruption" | "slowNotice">> = {},
): Tool {
  return defineTool({
    name,
    description: "Takes its time.",
    parameters: z.object({}),
    ...more,
    run: async () => {
      await sleep(ms);
      return { result: { success: true, name }, memory: { last: name } };
    },
  });
}

function options(tools: readonly Tool[], more: Partial<RunToolsOptions> = {}): RunToolsOptions {
  return {
    tools: createToolRegistry(tools),
    context: { sessionId: "s", turnId: "t", agent: "a", memory: {}, clock, checks },
    interrupted: new AbortController().signal,
    ...more,
  };
}

const call = (name: string, args = "{}", id = name): ToolCall => ({
  id,
  name,
  argumentsJson: args,
});

const checks = { showsCodes: false, countTry: () => Promise.resolve(1), clearTries: () => Promise.resolve() };

describe("runTools", () => {
  it("[TOOL-1] cuts a result that no conversation can carry, and tells the model so", async () => {
    const big = defineTool({
      name: "big",
      description: "Gives everything.",
      parameters: z.object({}),
      run: () => ({ result: { success: true, rows: "x".repeat(330_000) } }),
    });
    const [result] = await runTools([call("big")], options([big], { resultLimit: 500 }));
    expect(result).toMatchObject({ status: "success", result: { success: true, truncated: true } });
    expect(JSON.stringify(result?.result)).toMatch(/too long.*"beginning":".{500,600}/);
    expect(JSON.stringify(result?.result).length).toBeLessThan(800);
    const [whole] = await runTools([call("big")], options([big], { resultLimit: 400_000 }));
    expect(whole?.result).not.toHaveProperty("truncated");
  });

  it.each([100_000, 100])(
    "[TOOL-1] cuts a result that is nested %i levels deep, and keeps those of other tools",
    async (levels) => {
      const deep = defineTool({
        name: "deep",
        description: "Gives brackets.",
        parameters: z.object({}),
        run: () => ({ result: { success: true, answer: JSON.parse("[".repeat(levels) + "]".repeat(levels)) } }),
      });
      const [cut, other] = await runTools([call("deep"), call("echo", '{"text":"a"}')], options([deep, echo]));
      expect(cut).toMatchObject({ status: "success", result: { success: true, truncated: true } });
      expect(cut?.result).not.toHaveProperty("answer");
      expect(other).toMatchObject({ result: { success: true, text: "a" } });
    },
  );

  it("answers in the order of the calls, however long each takes, and runs them at the same time", async () => {
    const running = runTools(
      [call("b"), call("a"), call("echo", '{"text":"x"}')],
      options([slow("a", 10), slow("b", 100), echo]),
    );
    await clock.advanceAsync(100);
    const results = await running;
    expect(results.map((result) => result.call.name)).toEqual(["b", "a", "echo"]);
    expect(results.map((result) => result.durationMs).slice(0, 2)).toEqual([100, 10]);
    expect(mergedMemory(results)).toEqual({ last: "x" });
  });

  it("keeps to the parallel limit", async () => {
    const tools = [slow("a", 10), slow("b", 10), slow("c", 10)];
    const running = runTools([call("a"), call("b"), call("c")], options(tools, { parallelLimit: 1 }));
    await clock.advanceAsync(20);
    let done = false;
    void running.then(() => (done = true));
    await clock.advanceAsync(9);
    expect(done).toBe(false);
    await clock.advanceAsync(2);
    expect(done).toBe(true);
  });

  it.each([
    ["an unknown tool", call("fly"), "unknown_tool", /no tool "fly".*echo/],
    ["arguments that are not JSON", call("echo", '{"text":'), "invalid_arguments", /not JSON/],
    ["a missing argument", call("echo", "{}"), "invalid_arguments", /text/],
    ["a value out of range", call("echo", '{"text":"x","times":9}'), "invalid_arguments", /times/],
    ["no arguments at all", call("echo", ""), "invalid_arguments", /text/],
  ])("tells the model how to mend %s", async (_what, broken, error, message) => {
    const [result] = await runTools([broken], options([echo]));
    expect(result).toMatchObject({ status: "error", result: { success: false, error } });
    expect(result?.result["message"]).toMatch(message);
  });

  it("applies the schema's defaults", async () => {
    const [result] = await runTools([call("echo", '{"text":"x"}')], options([echo]));
    expect(result?.args).toEqual({ text: "x", times: 1 });
  });

  it("gives up on a tool after its time-out, and aborts it", async () => {
    let signal: AbortSignal | undefined;
    const stuck = defineTool({
      name: "stuck",
      description: "Never ends.",
      parameters: z.object({}),
      timeoutMs: 50,
      run: (_args, context: ToolContext) => {
        signal = context.signal;
        return new Promise<never>(() => undefined);
      },
    });
    const running = runTools([call("stuck")], options([stuck]));
    await clock.advanceAsync(50);
    expect(await running).toMatchObject([{ status: "error", result: { error: "timeout" }, durationMs: 50 }]);
    expect(signal?.aborted).toBe(true);
  });

  it("[TIMELINE-3] tells a tool that could not do its work from one that has answered no", async () => {
    const answering = (name: string, run: Tool["run"]): Tool => ({ ...slow(name, 0), run });
    const tools = [
      answering("refuses", async () => failed("no_such_account", "You have no such account.")),
      answering("throws", async () => {
        throw new Error("socket hang up");
      }),
    ];
    const results = await runTools([call("refuses"), call("throws"), call("made_up")], options(tools));
    expect(results.map(({ isFault = false }) => isFault)).toEqual([false, true, true]);
    expect(results.every(({ status }) => status === "error")).toBe(true);
  });

  it("[TOOL-2] says of a tool that was too slow whether it may have been done all the same", async () => {
    const tools = [
      slow("query", 100, { timeoutMs: 50 }),
      slow("booking", 100, { timeoutMs: 50, onInterruption: "finish" }),
    ];
    const running = runTools([call("query"), call("booking")], options(tools));
    await clock.advanceAsync(50);
    const [query, booking] = await running;
    expect(query?.result).toEqual({
      success: false,
      error: "timeout",
      message: '"query" took too long. Tell the caller, and offer to try again.',
    });
    expect(booking?.result).toMatchObject({
      success: false,
      error: "outcome_unknown",
      message: expect.stringContaining("cannot tell whether it went through"),
      note: expect.stringMatching(/took too long\. It may have been done all the same.*do not call it again unless/),
    });
  });

  it("turns what a tool throws into a result without its words, which may hold secrets", async () => {
    const broken = defineTool({
      name: "broken",
      description: "Throws.",
      parameters: z.object({}),
      run: () => Promise.reject(new Error("password is hunter2")),
    });
    const [result] = await runTools([call("broken")], options([broken]));
    expect(result).toMatchObject({ status: "error", result: { success: false, error: "internal_error" } });
    expect(JSON.stringify(result)).not.toContain("hunter2");
  });

  it("[TOOL-4a] says of a change that failed while it ran that it may have been done, unless the error says that nothing was", async () => {
    const booking = (error: Error, isIdempotent = false): Tool => ({
      ...slow("booking", 0, { onInterruption: "finish" }),
      isIdempotent,
      run: async () => {
        throw error;
      },
    });
    const resultOf = async (tool: Tool) => (await runTools([call("booking")], options([tool])))[0]?.result;
    const unknown = await resultOf(booking(new Error("socket hang up")));
    expect(unknown).toMatchObject({ success: false, error: "outcome_unknown" });
    expect(unknown?.["note"]).toMatch(/may have been done all the same.*do not call it again unless/);
    expect((await resultOf(booking(new Error("socket hang up"), true)))?.["note"]).toMatch(/you may try once more/);
    const refused = await resultOf(booking(new NotDoneError("forbidden", "may not be changed")));
    expect(refused).toMatchObject({ error: "forbidden", message: expect.stringContaining("nothing was done") });
  });

  it("[TOOL-8] runs identical calls of one answer once, whatever the order of their arguments, and both get the result", async () => {
    const run = vi.fn<() => ToolOutcome>(() => ({ result: { success: true, id: 7 }, memory: { booked: 1 } }));
    const parameters = z.object({ day: z.string(), seats: z.int().default(2) });
    const book = defineTool({ name: "book", description: "Books.", parameters, onInterruption: "finish", run });
    const calls = [
      call("book", '{"day":"monday","seats":2}', "1"),
      call("book", '{ "seats": 2, "day": "monday" }', "2"),
      call("book", '{"day":"monday"}', "3"),
      call("book", '{"day":"tuesday"}', "4"),
    ];
    const results = await runTools(calls, options([book], { parallelLimit: 1 }));
    expect(run).toHaveBeenCalledTimes(2);
    expect(results.map((result) => result.call.id)).toEqual(["1", "2", "3", "4"]);
    expect(results.map(({ result }) => result)).toEqual(calls.map(() => ({ success: true, id: 7 })));
    expect(results.map(({ memory }) => memory)).toEqual([{ booked: 1 }, {}, {}, { booked: 1 }]);
  });

  it.each([
    ["done", { success: true, id: 7 }, 1],
    ["of unknown outcome", { success: false, error: "outcome_unknown", note: "It may have been done." }, 1],
    ["not done", { success: false, error: "http_409" }, 2],
  ])(
    "[TOOL-9] repeats a change that the model calls again at once only if it was not done: %s",
    async (_what, result, times) => {
      const run = vi.fn<() => ToolOutcome>(() => ({ result }));
      const book = defineTool({
        name: "book",
        description: "Books.",
        parameters: z.object({}),
        onInterruption: "finish",
        run,
      });
      const before = await runTools([call("book", "{}", "1")], options([book]));
      const [again] = await runTools([call("book", "", "2")], options([book], { before }));
      expect(run).toHaveBeenCalledTimes(times);
      if (times === 1)
        expect(again?.result).toMatchObject({ ...result, note: expect.stringContaining("not made again") });
    },
  );

  it("[TOOL-10b] lets an identical look-up wait for the one that is running", async () => {
    const running = new Map();
    const run = vi.fn<() => Promise<ToolOutcome>>(() => sleep(100).then(() => ({ result: { success: true } })));
    const look = defineTool({ name: "look", description: "Looks.", parameters: z.object({}), run });
    const both = [1, 2].map((id) => runTools([call("look", "{}", String(id))], options([look], { running })));
    await clock.advanceAsync(100);
    const [first, second] = (await Promise.all(both)).flat();
    expect([first?.call.id, second?.call.id, run.mock.calls.length]).toEqual(["1", "2", 1]);
    expect(second?.result).toEqual({ success: true });
    expect(running.size).toBe(0);
  });

  it("[TOOL-7] shows arguments that do not fit as the model wrote them", async () => {
    const [wrong, broken, double] = await runTools(
      [call("echo", '{"txt":"x"}'), call("echo", '{"text":'), call("echo", '"{\\"text\\":\\"x\\"}"')],
      options([echo]),
    );
    expect(wrong).toMatchObject({ args: { txt: "x" }, result: { error: "invalid_arguments" } });
    expect(broken?.args).toEqual({ arguments: '{"text":' });
    expect(double).toMatchObject({ args: { text: "x" }, status: "success" });
  });

  it("cancels a query when the caller interrupts, and lets a booking finish", async () => {
    const interruption = new AbortController();
    const tools = [slow("query", 100), slow("booking", 100, { onInterruption: "finish" })];
    const running = runTools([call("query"), call("booking")], options(tools, { interrupted: interruption.signal }));
    await clock.advanceAsync(10);
    interruption.abort();
    await clock.advanceAsync(90);
    expect(await running).toMatchObject([
      { status: "error", result: { error: "cancelled" }, memory: {} },
      { status: "success", result: { name: "booking" }, memory: { last: "booking" } },
    ]);
  });

  it("does not start a query after the interruption", async () => {
    const interruption = new AbortController();
    interruption.abort();
    const [result] = await runTools(
      [call("query")],
      options([slow("query", 100)], { interrupted: interruption.signal }),
    );
    expect(result?.result["error"]).toBe("cancelled");
  });

  it("does not start a booking after the interruption that has waited for its turn", async () => {
    const interruption = new AbortController();
    const booking = (name: string): Tool => ({ ...slow(name, 100, { onInterruption: "finish" }), takesTurns: true });
    const running = runTools(
      [call("first"), call("second")],
      options([booking("first"), booking("second")], { interrupted: interruption.signal }),
    );
    await clock.advanceAsync(10);
    interruption.abort();
    await clock.advanceAsync(200);
    expect(await running).toMatchObject([
      { status: "success", result: { name: "first" } },
      { status: "error", result: { error: "cancelled" }, memory: {} },
    ]);
  });

  it("speaks once when a step is slow, and not at all when it is quick", async () => {
    const said: string[] = [];
    const notice = { slowNotice: "One moment." };
    const onSlow = (text: string): void => void said.push(text);
    const quick = runTools([call("a")], options([slow("a", 899, notice)], { onSlow }));
    await clock.advanceAsync(1000);
    await quick;
    expect(said).toEqual([]);
    const both = runTools(
      [call("a"), call("b")],
      options([slow("a", 2000, notice), slow("b", 2000, notice)], { onSlow }),
    );
    await clock.advanceAsync(2000, 100);
    await both;
    expect(said).toEqual(["One moment."]);
  });

  it("leaves no timer behind", async () => {
    const own = new VirtualClock();
    const context = { ...options([]).context, clock: own };
    await runTools([call("echo", '{"text":"x"}')], options([echo], { context, onSlow: () => undefined }));
    expect(own.pendingTimers).toBe(0);
  });
});

describe("a tool's schema", () => {
  it("is the JSON Schema of what the model may send: defaults are optional", () => {
    expect(toolSchema(echo)).toMatchObject({
      type: "object",
      required: ["text"],
      properties: { text: { type: "string" } },
    });
    expect(toolSchema(echo)).not.toHaveProperty("$schema");
  });

  it("is the foreign one where a tool brings its own", () => {
    expect(toolSchema({ ...echo, jsonSchema: { type: "object" } })).toEqual({ type: "object" });
  });

  it("belongs to one tool per name", () => {
    expect(() => createToolRegistry([echo, echo])).toThrow('two tools are named "echo"');
  });
});
