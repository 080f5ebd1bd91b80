import { EventEmitter } from "node:events";
import { VoiceError } from "@voice/shared/platform/errors";
import { describe, expect, it } from "vitest";
import type { WebSocket } from "ws";
import { BrowserPhone } from "./browser-phone.ts";
import type { Handset, Line } from "./handset.ts";

function rig(
  dial: (phone: Handset) => Promise<{ isFree: Promise<void>; hangUp(): void }> = () => Promise.reject(),
  onInUse?: () => void,
) {
  const sent: unknown[] = [];
  const socket = Object.assign(new EventEmitter(), {
    send: (data: string | Buffer) => sent.push(typeof data === "string" ? JSON.parse(data) : [...data]),
  });
  const phone = new BrowserPhone(socket as unknown as WebSocket, dial, onInUse);
  const says = (message: object): void => void socket.emit("message", Buffer.from(JSON.stringify(message)), false);
  const speaks = (frame: Int16Array): void => void socket.emit("message", Buffer.from(frame.buffer), true);
  return { phone, sent, says, speaks, leaves: () => void socket.emit("close") };
}

function lineTo(done: string[]): Line {
  return {
    callId: "call",
    sampleRateHz: 16_000,
    speak: (frame) => void done.push(`speaks ${frame.length}`),
    press: (key) => void done.push(`presses ${key}`),
    hangUp: () => void done.push("hangs up"),
  };
}

const call = { from: "+12025550100", to: "+12025550187" };

describe("a phone in a browser", () => {
  it("rings until the page answers or declines", async () => {
    const { phone, sent, says } = rig();
    const first = phone.ring(call, new AbortController().signal);
    says({ kind: "answer" });
    expect(await first).toBe("answered");
    const second = phone.ring(call, new AbortController().signal);
    says({ kind: "decline" });
    expect(await second).toBe("declined");
    expect(sent).toEqual([
      { kind: "ringing", from: "+12025550100" },
      { kind: "ringing", from: "+12025550100" },
    ]);
  });

  it("stops ringing when the caller gives up, and declines when the page is closed", async () => {
    const { phone, sent, leaves } = rig();
    const gaveUp = new AbortController();
    const first = phone.ring(call, gaveUp.signal);
    gaveUp.abort();
    expect(await first).toBe("declined");
    expect(sent.at(-1)).toEqual({ kind: "ended", why: "the caller gave up" });
    const second = phone.ring(call, new AbortController().signal);
    leaves();
    expect(await second).toBe("declined");
  });

  it("[OPS-35] reports that its page is used", () => {
    let uses = 0;
    const { says } = rig(undefined, () => (uses += 1));
    says({ kind: "in-use" });
    expect(uses).toBe(1);
  });

  it("carries voices and keys both ways, and is busy meanwhile", async () => {
    const { phone, sent, says, speaks } = rig();
    const done: string[] = [];
    const ear = phone.talk(lineTo(done));
    expect(await phone.ring(call, new AbortController().signal)).toBe("busy");
    speaks(new Int16Array(320));
    speaks(new Int16Array(100)); // no frame of this call
    says({ kind: "press", key: "#" });
    says({ kind: "press", key: "hash" });
    ear.onAudio(Int16Array.of(1, -1));
    ear.onStopAudio();
    says({ kind: "hang-up" });
    ear.onEnded("the phone hung up");
    says({ kind: "press", key: "1" });
    expect(done).toEqual(["speaks 320", "presses #", "hangs up"]);
    expect(sent).toEqual([
      { kind: "connected", sampleRateHz: 16_000 },
      [1, 0, 255, 255],
      { kind: "stop-audio" },
      { kind: "ended", why: "the phone hung up" },
    ]);
  });

  it("calls the service, and says so when nobody takes the call", async () => {
    const free = Promise.withResolvers<void>();
    const hungUp: string[] = [];
    const { sent, says } = rig(async () => ({ isFree: free.promise, hangUp: () => void hungUp.push("hung up") }));
    says({ kind: "dial" });
    await Promise.resolve();
    says({ kind: "hang-up" });
    expect(hungUp).toEqual(["hung up"]);
    free.resolve();
    await expect.poll(() => sent).toEqual([{ kind: "ended", why: "nobody took the call" }]);
  });

  it("says why the service could not be called", async () => {
    const { sent, says } = rig(() => Promise.reject(new VoiceError("upstream_unavailable", "no webhook")));
    says({ kind: "dial" });
    await expect.poll(() => sent).toEqual([{ kind: "ended", why: "no webhook" }]);
  });
});
