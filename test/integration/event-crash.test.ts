/** A consumer process dies in the middle of its events: another one finishes them, and nothing has happened twice. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "@voice/shared/platform/clock";
import { silentLogger } from "@voice/shared/platform/logger";
import { newCall } from "@voice/shared/state/ports/call-store.contract";
import { termination } from "@voice/shared/state/ports/event-bus.contract";
import { openRedisState } from "@voice/shared/state/redis/create-redis-state";
import { isRedisAvailable } from "../support/installed-programs.ts";
import { startRedisServer, type RedisServer } from "../support/redis-server.ts";
import { eventually } from "../support/wait.ts";

const script = fileURLToPath(new URL("../support/event-consumer-process.ts", import.meta.url));

interface Consumer {
  readonly lines: string[];
  /** As the kernel does it: nothing runs in the process after this. */
  kill(): Promise<void>;
}

describe.skipIf(!isRedisAvailable())("a consumer that dies", () => {
  let server: RedisServer;
  const running = new Set<ChildProcess>();
  beforeAll(async () => {
    server = await startRedisServer();
  });
  afterAll(async () => {
    for (const child of running) child.kill("SIGKILL");
    await server.stop();
  });

  async function startConsumer(keyPrefix: string, mode: "hang" | "work"): Promise<Consumer> {
    const child = spawn(process.execPath, [script, String(server.port), keyPrefix, mode], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    running.add(child);
    const lines: string[] = [];
    let rest = "";
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      const parts = (rest + chunk).split("\n");
      rest = parts.pop() ?? "";
      lines.push(...parts);
    });
    await eventually(() => lines.includes("subscribed"), "the consumer process subscribes");
    return {
      lines,
      async kill() {
        const exited = once(child, "exit");
        child.kill("SIGKILL");
        await exited;
        running.delete(child);
      },
    };
  }

  async function openWithCalls(keyPrefix: string, count: number) {
    const parts = { clock: systemClock, logger: silentLogger };
    const state = await openRedisState(server.endpoint, parts, { keyPrefix });
    const callIds = Array.from({ length: count }, (_, index) => `call-${index}`);
    for (const callId of callIds) await state.calls.create(newCall(callId, Date.now()));
    for (const callId of callIds) await state.events.publish(termination(`event-of-${callId}`, callId));
    return { state, callIds };
  }

  it("[ONCE-2] loses nothing, and its effects are not doubled", async () => {
    const { state, callIds } = await openWithCalls("crash:", 20);
    const first = await startConsumer("crash:", "hang");
    await eventually(() => first.lines.length >= 11, "the first consumer is in the middle of events");
    await first.kill();

    const second = await startConsumer("crash:", "work");
    const logs = () => Promise.all(callIds.map((callId) => state.calls.events(callId)));
    await eventually(async () => {
      const handled = new Set(second.lines.map((line) => line.split(" ")[0]));
      return callIds.every((callId) => handled.has(`event-of-${callId}`));
    }, "the second consumer handles every event");

    const admin = server.admin();
    const pending = async () =>
      (await admin.xpending("crash:{events}:stream:call.termination-requested", "call-control"))[0];
    await eventually(async () => (await pending()) === 0, "nothing is left that could be delivered again");
    const entries = (await logs()).map((log) => log.map(({ eventId }) => eventId));
    expect(entries).toEqual(callIds.map((callId) => [`event-of-${callId}`]));
    // The dead process had begun these: they are second attempts, and the effect is still the first one's.
    expect(second.lines.filter((line) => line.endsWith(" 2")).length).toBeGreaterThanOrEqual(10);
    expect(await state.events.deadLetters(10)).toEqual([]);
    await second.kill();
    await state.close();
  });

  it("gives up an event that kills every consumer it meets, and says so", async () => {
    const { state } = await openWithCalls("poison:", 1);
    for (let death = 1; death <= 5; death += 1) {
      const victim = await startConsumer("poison:", "hang");
      await eventually(() => victim.lines.includes(`event-of-call-0 ${death}`), `attempt ${death} begins`);
      await victim.kill();
    }
    const survivor = await startConsumer("poison:", "work");
    await eventually(async () => (await state.events.deadLetters(1)).length === 1, "the event is given up");
    const [letter] = await state.events.deadLetters(1);
    expect(letter).toMatchObject({ event: { id: "event-of-call-0" }, attempts: 5 });
    expect(letter?.reason).toContain("died");
    expect(survivor.lines).toEqual(["subscribed"]);
    await survivor.kill();
    await state.close();
  });
});
