import { VoiceError } from "@voice/shared/platform/errors";
import { operatorTopic } from "@voice/shared/contracts/events/operator-command";
import { describe, expect, it } from "vitest";
import { startCallRig, type CallRig } from "../../testing/call-rig.ts";

const denied = new VoiceError("call_not_found", "the service knows no such call");
const elsewhere = new VoiceError("upstream_unavailable", "hanging up failed with 404");

async function connectedCall(): Promise<CallRig> {
  const rig = await startCallRig();
  const connectedAtMs = rig.clock.wallNow();
  await rig.create({ status: "connected", callConnectionId: "connection-1", connectedAtMs });
  await rig.hear("CallConnected");
  return rig;
}

const hangUps = (rig: CallRig): number => rig.operations().filter((operation) => operation === "hangUp").length;

describe("a call that rings", () => {
  it("[LOST-22] is connected when the service says so, whether or not its event comes", async () => {
    const rig = await startCallRig();
    await rig.create();
    await rig.place();
    await rig.settle(11_000);
    expect(rig.operations()).toContain("stateOf");
    expect((await rig.record()).status).toBe("ringing");
    rig.serviceSays("connected");
    await rig.settle(10_000);
    expect((await rig.record()).status).toBe("connected");
    expect(rig.operations()).toContain("startStream");
  });
});

describe("a call that the service denies", () => {
  it("[LOST-4] goes on while a host has its stream, whatever the service says and however often", async () => {
    const rig = await connectedCall();
    rig.control.carryStream(await rig.record());
    rig.serviceSays("gone");
    await rig.settle(600_000);
    expect((await rig.record()).status).toBe("connected");
    expect(new Set(rig.operations())).toEqual(new Set(["stateOf"]));
    expect(rig.operations().length).toBeLessThan(12);
  });

  it("[LOST-4] goes on while a host has its stream that asks for it to be held or taken back", async () => {
    const rig = await connectedCall();
    rig.control.carryStream(await rig.record());
    rig.failures.push(...Array.from({ length: 10 }, () => denied));
    await rig.control.carryOut({ type: "hold", seconds: 5, id: "t-1" }, "connection-1");
    await rig.settle(60_000);
    expect((await rig.record()).status).toBe("connected");
  });

  it("[LOST-5a] [LOST-5b] is over when the service says so for 20 s and no host has its stream, with what that rests on", async () => {
    const rig = await connectedCall();
    const letGo = rig.control.carryStream(await rig.record());
    await rig.settle(55_000);
    letGo();
    rig.serviceSays("gone");
    await rig.settle(20_000);
    expect((await rig.record()).status).toBe("connected");
    await rig.settle(20_000);
    const record = await rig.record();
    expect(record).toMatchObject({ status: "disconnected", missingSinceMs: expect.any(Number) });
    expect(record.endedByService).toBeUndefined();
    expect((await rig.state.calls.events("call-1")).map(({ type }) => type)).toContain("call.presumed-over");
  });

  it("[LOST-5a] is not over when its stream comes back meanwhile", async () => {
    const rig = await connectedCall();
    const letGo = rig.control.carryStream(await rig.record());
    await rig.settle(60_000);
    letGo();
    rig.serviceSays("gone");
    await rig.settle(15_000);
    rig.control.carryStream(await rig.record());
    await rig.settle(60_000);
    const record = await rig.record();
    expect(record.status).toBe("connected");
    expect(record.missingSinceMs).toBeUndefined();
  });

  it("[LOST-3] is asked about again when there was no answer to be used, and not ended by that", async () => {
    const rig = await connectedCall();
    rig.control.carryStream(await rig.record());
    await rig.settle(59_000);
    rig.failures.push(...Array.from({ length: 10 }, () => elsewhere));
    await rig.settle(180_000);
    expect((await rig.record()).status).toBe("connected");
    expect(rig.operations().length).toBeLessThan(10);
  });

  it("[LOST-6a] is hung up when it was closed on a guess, and the service opens its stream", async () => {
    const rig = await connectedCall();
    rig.serviceSays("gone");
    await rig.settle(50_000);
    const closed = await rig.record();
    expect(closed.status).toBe("disconnected");
    rig.serviceSays("connected");
    const before = hangUps(rig);
    for (let dials = 0; dials < 10; dials += 1) await rig.control.endUnwanted(closed, "connection-1");
    await rig.settle(6000);
    expect(hangUps(rig)).toBe(before + 1);
    rig.serviceSays("connected");
    await rig.settle(60_000);
    expect(hangUps(rig)).toBeGreaterThan(before + 1);
  });

  it("[LOST-6b] is hung up by the id of its stream, when its record has none", async () => {
    const rig = await startCallRig();
    const call = await rig.create({ direction: "inbound", status: "failed", failureCode: "caller_gone" });
    await rig.control.endUnwanted(call, "connection-9");
    await rig.settle(6000);
    expect(rig.requests.at(-1)).toMatchObject({ operation: "hangUp", details: { callConnectionId: "connection-9" } });
  });
});

describe("a call that was hung up", () => {
  it("[END-10c] [END-10d] is over without the service's report, as soon as the service knows it no more", async () => {
    const rig = await connectedCall();
    await rig.control.hangUp("connection-1", "goodbye");
    await rig.settle(12_000);
    expect(rig.operations().slice(0, 2)).toEqual(["hangUp", "stateOf"]);
    expect(hangUps(rig)).toBe(1);
    const { status, endedAtMs, connectedAtMs = 0 } = await rig.record();
    expect(status).toBe("disconnected");
    expect(endedAtMs).toBeLessThan(connectedAtMs + 12_000);
    await rig.settle(20 * 60_000);
    const asked = rig.operations().length;
    expect(asked).toBeLessThan(12);
    expect(hangUps(rig)).toBe(1);
    await rig.settle(20 * 60_000);
    expect(rig.operations()).toHaveLength(asked);
  });

  it.each([
    ["refused in other words than the service's", elsewhere],
    ["refused for good", new VoiceError("upstream_unavailable", "403", { retryable: false })],
    ["said to be about no call", denied],
  ])(
    "[END-10a] [END-10b] is hung up again with growing pauses where that was %s, until its phone is silent",
    async (_how, error) => {
      const rig = await connectedCall();
      const answers = (): void => {
        rig.failures.length = 0;
        rig.during(async ({ operation }) => {
          if (operation === "hangUp") throw error;
        });
      };
      answers();
      await rig.control.hangUp("connection-1", "goodbye");
      await rig.settle(200_000);
      // Six of the event bus at first, then with growing pauses up to a minute.
      expect(hangUps(rig)).toBeGreaterThan(4);
      expect(hangUps(rig)).toBeLessThan(20);
      const before = hangUps(rig);
      rig.during(async () => undefined);
      await rig.settle(130_000);
      expect(hangUps(rig)).toBe(before + 1);
      expect((await rig.record()).status).toBe("disconnected");
    },
  );

  it("[END-11] has its conversation ended on whatever host has its stream, when the service does not end it", async () => {
    const rig = await connectedCall();
    rig.control.carryStream(await rig.record());
    const commands: string[] = [];
    await rig.state.broadcasts.listen(operatorTopic, (command) => commands.push(command));
    rig.during(async ({ operation }) => {
      if (operation === "hangUp") throw elsewhere;
    });
    await rig.terminate();
    await rig.settle(20_000);
    expect(commands[0]).toBe(JSON.stringify({ type: "end", sessionId: "session-1" }));
    expect((await rig.record()).status).toBe("connected");
  });

  it("[END-10a] is seen to by another host, when the one that was to hang up is gone", async () => {
    const rig = await connectedCall();
    rig.during(() => new Promise(() => undefined));
    void rig.control.hangUp("connection-1", "goodbye");
    await rig.settle(1000);
    void rig.control.close();
    rig.during(async () => undefined);
    const other = await rig.startAnotherHost();
    await rig.settle(15_000);
    expect(hangUps(rig)).toBe(2);
    await rig.settle(15_000);
    expect((await rig.record()).status).toBe("disconnected");
    await Promise.all([other.close(), rig.settle(5000)]);
  });
});
