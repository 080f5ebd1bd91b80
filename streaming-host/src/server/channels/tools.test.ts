import type { AuditedAction } from "@voice/shared/audit/audit-trail";
import { createLogger } from "@voice/shared/platform/logger";
import { defineTool } from "@voice/shared/tools/define-tool";
import { failed, succeeded } from "@voice/shared/tools/outcome";
import type { Tool, ToolContext } from "@voice/shared/tools/tool";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { channelsRig } from "../../testing/channels-rig.ts";

const message = z.object({ type: z.string(), payload: z.record(z.string(), z.unknown()) });
const address = "/api/v1/realtime/tools";

/** `pending`: has the tool wait until the test lets it go. */
function tools(seen: ToolContext[], pending: PromiseWithResolvers<void>[] = []): ReadonlyMap<string, Tool> {
  const order = z.object({ order: z.string().regex(/^\d{4}$/, "exactly four digits") });
  const all = [
    defineTool({
      name: "order_status",
      description: "Where an order is.",
      parameters: order,
      slowNotice: "Let me look.",
      run: async (_args, context) => {
        seen.push(context);
        const waits = Promise.withResolvers<void>();
        pending.push(waits);
        if (pending.length > 1) await waits.promise;
        return succeeded({ state: "in the oven" });
      },
    }),
    defineTool({
      name: "cancel_order",
      description: "Cancels an order.",
      parameters: order,
      onInterruption: "finish",
      run: (_args, context) => {
        seen.push(context);
        return context.memory["cancelled"] === undefined
          ? succeeded({}, { memory: { cancelled: true } })
          : failed("cancelled_before", "It is cancelled already.");
      },
    }),
    defineTool({
      name: "end_call",
      description: "Hangs up.",
      parameters: z.object({}),
      onInterruption: "finish",
      isRepeatable: true,
      run: () => succeeded({}, { effects: [{ type: "hang-up", reason: "done" }] }),
    }),
  ] satisfies Tool[];
  return new Map(all.map((tool) => [tool.name, tool]));
}

function rigOf() {
  const seen: ToolContext[] = [];
  const pending: PromiseWithResolvers<void>[] = [];
  const audited: AuditedAction[] = [];
  const lines: string[] = [];
  const made = tools(seen, pending);
  const rig = channelsRig({
    options: {
      findTool: (name) => made.get(name),
      logger: createLogger({ level: "debug", name: "host", destination: { write: (line) => void lines.push(line) } }),
      auditTrail: { record: (action) => void audited.push(action), written: () => Promise.resolve() },
    },
  });
  const page = async () => {
    const { socket, connection } = rig.open(address);
    const opened = await connection;
    const received = () =>
      socket.sent.flatMap((data) => (typeof data === "string" ? [message.parse(JSON.parse(data))] : []));
    let count = 0;
    const attempt = async (tool: string, more: object = {}) => {
      count += 1;
      const request = { type: "try_tool", id: String(count), tool, arguments: { order: "4412" }, ...more };
      socket.deliver(JSON.stringify(request));
      await rig.pass(1);
      return received().at(-1)?.payload;
    };
    return { socket, opened, received, attempt };
  };
  return { ...rig, seen, pending, audited, lines, page };
}

describe("a tool that is tried", () => {
  it("[BUILD-8] says what it takes, whether it changes something, and how long it may take", async () => {
    const { page, pass } = rigOf();
    const { socket, received } = await page();
    for (const tool of ["nothing", "order_status", "cancel_order"])
      socket.deliver(JSON.stringify({ type: "describe_tool", tool, agent: "front-desk" }));
    await pass(1);
    const common = { parameters: expect.objectContaining({ required: ["order"] }), timeout_ms: 8000, memory: {} };
    expect(received().map(({ payload }) => payload)).toEqual([
      { code: "not_found", message: 'There is no tool "nothing" here now.' },
      expect.objectContaining({ ...common, tool: "order_status", changes: "nothing", slow_notice: "Let me look." }),
      expect.objectContaining({ ...common, tool: "cancel_order", changes: "something", slow_notice: null }),
    ]);
  });

  it("[BUILD-7] runs only after it was confirmed where it changes something, and says before that whether the input fits", async () => {
    const { page, seen } = rigOf();
    const { attempt } = await page();
    expect(await attempt("cancel_order", { arguments: { order: "none" } })).toMatchObject({
      outcome: "invalid_arguments",
      result: { message: expect.stringContaining("exactly four digits") },
    });
    expect(await attempt("cancel_order")).toMatchObject({ outcome: "needs_confirmation", result: null });
    expect(seen).toEqual([]);
    expect(await attempt("cancel_order", { confirmed: true })).toMatchObject({ outcome: "done" });
    expect(seen).toHaveLength(1);
  });

  it("[BUILD-8] is remembered by the next tool of the page, and by no other page", async () => {
    const { page, seen } = rigOf();
    const [one, other] = [await page(), await page()];
    expect(await one.attempt("cancel_order", { confirmed: true })).toMatchObject({ memory: { cancelled: true } });
    expect(await one.attempt("cancel_order", { confirmed: true })).toMatchObject({
      outcome: "not_done",
      result: { message: "It is cancelled already." },
    });
    expect(await other.attempt("cancel_order", { confirmed: true })).toMatchObject({ outcome: "done" });
    expect(new Set(seen.map(({ sessionId }) => sessionId)).size).toBe(2);
    expect(seen.every(({ sessionId }) => sessionId.startsWith("trial-"))).toBe(true);
  });

  it("[BUILD-8] acts for the usual customer, for nobody, or for the one that is named", async () => {
    const { page, seen, state } = rigOf();
    const { attempt } = await page();
    await state.profiles.create({ profileId: "p-1", document: { full_name: "Ada" } });
    await attempt("cancel_order", { confirmed: true });
    await attempt("cancel_order", { confirmed: true, profile_id: null });
    await attempt("cancel_order", { confirmed: true, profile_id: "p-1" });
    expect(seen.map(({ customer }) => customer?.document["full_name"])).toEqual(["Alex Morgan", undefined, "Ada"]);
    expect(await attempt("cancel_order", { confirmed: true, profile_id: "p-2" })).toMatchObject({
      outcome: "not_run",
      problem: "There is no such profile.",
    });
  });

  it("[BUILD-9] has its time limit, and says what a caller who waits would have heard", async () => {
    const { page, pass, pending } = rigOf();
    const { attempt, received } = await page();
    expect(await attempt("order_status")).toMatchObject({ outcome: "done", was_slow: false });
    await attempt("order_status", { arguments: { order: "0001" } });
    await pass(8000);
    expect(pending).toHaveLength(2);
    expect(received().at(-1)?.payload).toMatchObject({ outcome: "timed_out", was_slow: true, duration_ms: 8000 });
  });

  it("[BUILD-9] shows what it asks for the call, which is not carried out", async () => {
    const { page } = rigOf();
    const { attempt, socket } = await page();
    expect(await attempt("end_call", { arguments: { order: undefined } })).toMatchObject({
      outcome: "done",
      changes: "nothing",
      effects: [{ type: "hang-up", reason: "done" }],
    });
    expect(socket.closedWith).toBeUndefined();
  });

  it("[BUILD-11] runs alone on its page, and with three others on a host", async () => {
    const { page, pending, pass } = rigOf();
    const pages = await Promise.all(Array.from({ length: 5 }, page));
    await pages[0]?.attempt("order_status"); // the first answers at once
    for (const one of pages.slice(0, 4)) await one.attempt("order_status");
    expect(await pages[0]?.attempt("order_status")).toMatchObject({
      outcome: "not_run",
      problem: expect.stringContaining("still running"),
    });
    expect(await pages[4]?.attempt("order_status")).toMatchObject({
      outcome: "not_run",
      problem: expect.stringContaining("As many tools"),
    });
    for (const waits of pending) waits.resolve();
    await pass(1);
    expect(await pages[4]?.attempt("cancel_order", { confirmed: true })).toMatchObject({ outcome: "done" });
  });

  it("[BUILD-11] is given up when the page leaves, unless it changes something, and is waited for when the host stops", async () => {
    const { page, pending, seen, pass } = rigOf();
    const [leaves, stays] = [await page(), await page()];
    await leaves.attempt("order_status");
    await leaves.attempt("order_status");
    leaves.socket.onClose?.("gone");
    expect(seen[1]?.signal.aborted).toBe(true);
    await stays.attempt("order_status");
    stays.opened.drain();
    expect(stays.socket.closedWith).toBeUndefined();
    for (const waits of pending) waits.resolve();
    await pass(1);
    expect(stays.received().at(-1)?.payload).toMatchObject({ outcome: "done" });
    expect(stays.socket.closedWith).toBe(1001);
  });

  it("[BUILD-10] is in the audit trail and the log by its names, without what it was given or has answered", async () => {
    const { page, audited, lines } = rigOf();
    const { attempt } = await page();
    await attempt("order_status", { agent: "front-desk" });
    await attempt("cancel_order", { agent: "front-desk", confirmed: true, profile_id: null });
    await attempt("cancel_order", { agent: "front-desk" });
    const common = { action: "tryTool", subject: "anonymous", outcome: "done", status: 200 };
    expect(audited).toMatchObject([
      { ...common, what: { tool: "order_status", agent: "front-desk" }, isRepeatable: true },
      { ...common, what: { tool: "cancel_order", agent: "front-desk" }, isRepeatable: false },
    ]);
    expect(lines.join("\n")).toContain("an operator tried a tool");
    for (const secret of ["4412", "in the oven"]) expect(JSON.stringify([audited, lines])).not.toContain(secret);
  });

  it("[FR-3] is not asked for by anything else", async () => {
    const { page, pass } = rigOf();
    const { socket, received } = await page();
    for (const text of ["hello", '{"type":"try_tool","tool":"order_status"}', `{"type":"${"x".repeat(40_000)}"}`])
      socket.deliver(text);
    await pass(1);
    expect(received().map(({ type, payload }) => [type, payload["code"]])).toEqual(
      Array.from({ length: 3 }, () => ["error", "validation_error"]),
    );
  });
});
