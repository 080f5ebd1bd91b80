import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FakeSocket } from "../../testing/fake-socket.ts";
import { hookSessionId, PlatformEnd } from "../../testing/platform-end.ts";
import { HookLink } from "./hook-link.ts";

function rig({ sessionId }: { readonly sessionId: string | undefined } = { sessionId: hookSessionId }) {
  const clock = new VirtualClock();
  const socket = new FakeSocket();
  const platform = new PlatformEnd(socket);
  const link = new HookLink(socket, clock, sessionId);
  const heard: string[] = [];
  const listen = (): void =>
    link.listen({
      onAudio: (bytes) => heard.push(`audio ${bytes.length}`),
      onMessage: ({ type }) => heard.push(type),
      onOver: (reason) => heard.push(`over: ${reason}`),
    });
  return { clock, socket, platform, link, heard, listen };
}

/** A session that is open and listened to. */
function opened() {
  const parts = rig();
  parts.platform.open();
  parts.link.send("opened", {});
  parts.listen();
  return parts;
}

describe("the hook protocol", () => {
  it("[HOOK-4] numbers what it says when it is said, and tells the last number it has seen", () => {
    const { platform, link } = opened();
    platform.say("ping", { rtt: "PT0.05S" });
    link.send("event", { entities: [] });
    expect(platform.told).toMatchObject([
      { type: "opened", seq: 1, clientseq: 1, id: hookSessionId },
      { type: "pong", seq: 2, clientseq: 2, parameters: {} },
      { type: "event", seq: 3, clientseq: 2 },
    ]);
  });

  it("[HOOK-4] answers pings before it is opened, while it closes, and after a mistake", () => {
    const { platform, link } = rig();
    platform.say("ping");
    platform.open();
    platform.say("ping");
    link.end({ reason: "error" });
    platform.say("ping");
    expect(platform.types).toEqual(["pong", "pong", "disconnect", "pong"]);
    const closing = opened();
    closing.platform.say("close", { reason: "end" });
    closing.platform.say("ping");
    closing.link.end({ reason: "completed" });
    expect(closing.platform.types).toEqual(["opened", "pong", "closed"]);
  });

  it("[HOOK-6] [HOOK-9a] gives the opening once, and takes the id from it where the request had none", async () => {
    const { platform, link } = rig({ sessionId: undefined });
    platform.open({ inputVariables: { plan: "gold", tries: 2, vip: true } });
    platform.open();
    await expect(link.opening).resolves.toMatchObject({ inputVariables: { plan: "gold", tries: "2", vip: "true" } });
    expect(link.sessionId).toBe(hookSessionId);
    expect(platform.types).toEqual([]);
  });

  it("delivers in order what came before anybody listened, 10 s of audio at most", () => {
    const { platform, socket, link, listen, heard } = rig();
    platform.open();
    link.send("opened", {});
    for (let chunk = 0; chunk < 60; chunk++) socket.deliver(new Uint8Array(3200));
    platform.say("dtmf", { digit: "7" });
    listen();
    socket.deliver(new Uint8Array(8));
    expect(heard).toEqual([...Array.from({ length: 50 }, () => "audio 3200"), "dtmf", "audio 8"]);
  });

  it.each<[string, (parts: ReturnType<typeof opened>) => void]>([
    ["what is no JSON", ({ socket }) => socket.deliver("{")],
    ["what is no object", ({ socket }) => socket.deliver("[]")],
    ["a number as the version", ({ platform }) => platform.say("ping", {}, { version: 2 })],
    ["a gap in the numbers", ({ platform }) => platform.say("ping", {}, { seq: 3 })],
    ["a number twice", ({ platform }) => platform.say("ping", {}, { seq: 1 })],
    ["a number of ours that was never said", ({ platform }) => platform.say("ping", {}, { serverseq: 2 })],
    [
      "another session's id",
      ({ platform }) => platform.say("ping", {}, { id: "30b0e395-84d3-4570-ac13-9a62d8f514c1" }),
    ],
    ["no parameters", ({ platform }) => platform.say("ping", {}, { parameters: undefined })],
    ["parameters that cannot be", ({ platform }) => platform.say("dtmf", { digit: "x" })],
    ["minutes where only seconds are allowed", ({ platform }) => platform.say("discarded", { discarded: "PT1M" })],
    ["a text that is too long", ({ platform }) => platform.say("ping", { filler: "x".repeat(70_000) })],
  ])("[HOOK-5] answers %s with one disconnect, and hears nothing afterwards", (_what, mistake) => {
    const parts = opened();
    const { platform, socket, heard } = parts;
    mistake(parts);
    expect(platform.types).toEqual(["opened", "disconnect"]);
    socket.deliver("again");
    socket.deliver(new Uint8Array(160));
    expect(platform.types).toEqual(["opened", "disconnect"]);
    expect(platform.told[1]?.parameters).toMatchObject({ reason: "error", info: expect.any(String) });
    expect(heard).toEqual(["over: the platform broke the protocol"]);
    expect(socket.closedWith).toBeUndefined();
  });

  it("[HOOK-5] answers pings and `close` after it was told a number of ours that was never said", () => {
    const { platform } = opened();
    platform.say("ping", {}, { serverseq: 7 });
    platform.say("ping", {}, { serverseq: 7 });
    platform.say("ping");
    platform.say("close", { reason: "disconnect" });
    expect(platform.told.map(({ type, clientseq }) => `${type} ${clientseq}`)).toEqual([
      "opened 1",
      "disconnect 2",
      "pong 3",
      "pong 4",
      "closed 5",
    ]);
  });

  it("[HOOK-5] answers a platform that goes on from its own wrong number", () => {
    const { platform } = opened();
    platform.say("ping", {}, { seq: 9 });
    platform.say("ping", {}, { seq: 10 });
    platform.say("close", { reason: "disconnect" }, { seq: 11 });
    expect(platform.told.map(({ type, clientseq }) => `${type} ${clientseq}`)).toEqual([
      "opened 1",
      "disconnect 1",
      "pong 10",
      "closed 11",
    ]);
  });

  it("[HOOK-5] takes a stale number of ours, and ignores what it does not know", () => {
    const { platform, heard } = opened();
    platform.say("ping", {}, { serverseq: 0 });
    platform.say("telepathy", { thought: 1 });
    platform.say("ping");
    expect(platform.types).toEqual(["opened", "pong", "pong"]);
    expect(heard).toEqual([]);
  });

  it("[HOOK-5] refuses audio and messages that come before `open`", async () => {
    for (const early of ["audio", "message"]) {
      const { platform, socket, link } = rig();
      if (early === "audio") socket.deliver(new Uint8Array(160));
      else platform.say("paused");
      expect(platform.types).toEqual(["disconnect"]);
      await expect(link.opening).resolves.toBeUndefined();
    }
  });

  it("[HOOK-5] never throws and never says more than one disconnect, whatever comes", () => {
    const anything = fc.oneof(
      fc.string(),
      fc.json(),
      fc.uint8Array({ maxLength: 50 }),
      fc
        .record({
          version: fc.constant("2"),
          id: fc.uuid(),
          type: fc.string(),
          seq: fc.nat(3),
          serverseq: fc.nat(3),
          parameters: fc.object(),
        })
        .map((value) => JSON.stringify(value)),
    );
    fc.assert(
      fc.property(fc.array(anything, { maxLength: 8 }), (frames) => {
        const { platform, socket } = opened();
        for (const frame of frames) socket.deliver(frame);
        expect(platform.types.filter((type) => type === "disconnect").length).toBeLessThanOrEqual(1);
      }),
    );
  });

  it("[HOOK-15a] says `closed` only when the conversation has ended, and lets the platform hang up", () => {
    const { platform, link, heard, socket, clock } = opened();
    platform.say("close", { reason: "end" });
    socket.deliver(new Uint8Array(160));
    expect(heard).toEqual(["over: closed by the platform"]);
    expect(platform.types).toEqual(["opened"]);
    link.end({ reason: "completed", outputVariables: { session_id: "s" } });
    link.end({ reason: "completed" });
    expect(platform.told.at(-1)).toMatchObject({
      type: "closed",
      parameters: { outputVariables: { session_id: "s" } },
    });
    clock.advance(4999);
    expect(socket.closedWith).toBeUndefined();
    clock.advance(1);
    expect(socket.closedWith).toBe(1000);
  });

  it("[HOOK-15c] asks for the end, answers the platform's `close` at once, and waits 10 s for it", () => {
    const { platform, link, socket, clock, heard } = opened();
    link.end({ reason: "completed", outputVariables: { end_reason: "done" } });
    link.end({ reason: "error" });
    expect(platform.told.at(-1)).toMatchObject({
      type: "disconnect",
      parameters: { reason: "completed", outputVariables: { end_reason: "done" } },
    });
    platform.say("close", { reason: "disconnect" });
    expect(platform.types).toEqual(["opened", "disconnect", "closed"]);
    expect(heard).toEqual([]);
    const silent = opened();
    silent.link.end({ reason: "completed" });
    silent.clock.advance(9999);
    expect(silent.socket.closedWith).toBeUndefined();
    silent.clock.advance(1);
    expect(silent.socket.closedWith).toBe(1000);
    clock.advance(5000);
    expect(socket.closedWith).toBe(1000);
  });

  it("[HOOK-7] answers a close that comes before `open`", async () => {
    const { platform, link } = rig();
    platform.say("close", { reason: "end" });
    platform.say("close", { reason: "end" });
    await expect(link.opening).resolves.toBeUndefined();
    expect(platform.types).toEqual(["closed"]);
  });

  it("[HOOK-5] names the session that nobody has named yet by the null id", () => {
    const { platform, socket } = rig({ sessionId: undefined });
    socket.deliver("{");
    expect(platform.told).toMatchObject([{ type: "disconnect", id: "00000000-0000-0000-0000-000000000000" }]);
  });

  it("[HOOK-16] is over when the socket is gone", async () => {
    const { socket, link, heard, clock } = opened();
    socket.onClose?.("closed with 1006");
    await link.gone;
    expect(heard).toEqual(["over: closed with 1006"]);
    clock.advance(60_000);
    expect(socket.closedWith).toBeUndefined();
    const unopened = rig();
    unopened.socket.onClose?.("closed with 1006");
    await expect(unopened.link.opening).resolves.toBeUndefined();
  });
});
