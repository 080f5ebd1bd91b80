import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { describe, expect, it } from "vitest";
import { FakeSocket } from "../testing/fake-socket.ts";
import { GuardedSocket } from "./guarded-socket.ts";
import { maxUnsentBytes, messageRate } from "./message-limits.ts";
import type { SessionNotice } from "./transport.ts";

const levels = { type: "audio_levels", payload: { input: 0.1, output: 0 } } as const;

function rig() {
  const clock = new VirtualClock();
  const socket = new FakeSocket();
  const heard: string[] = [];
  const reports: string[] = [];
  let refusals = 0;
  const guarded = new GuardedSocket(socket, clock, {
    onMessage: (data) => void heard.push(Buffer.from(data).toString()),
    onTooFrequent: () => void refusals++,
    onClosed: (report) => void reports.push(report),
  });
  const flood = (messages: number): void => {
    for (let sent = 0; sent < messages; sent += 1) socket.deliver("{}");
  };
  return { clock, socket, guarded, heard, reports, flood, refusals: () => refusals };
}

describe("a socket with limits", () => {
  it("[FR-4] tells a peer once that it sends too fast, closes it with 1008, and hears nothing more of it", () => {
    const { socket, heard, flood, refusals, clock } = rig();
    flood(messageRate.burst);
    expect(socket.closedWith).toBeUndefined();
    flood(10);
    clock.advance(60_000);
    flood(10);
    expect(socket.closedWith).toBe(1008);
    expect(refusals()).toBe(1);
    expect(heard).toHaveLength(messageRate.burst);
  });

  it("[FR-4] lets a peer catch up after a stall, and goes on hearing it at the rate", () => {
    const { socket, flood, clock } = rig();
    flood(messageRate.burst);
    for (let second = 0; second < 3; second += 1) {
      clock.advance(1000);
      flood(messageRate.perSecond);
    }
    expect(socket.closedWith).toBeUndefined();
    flood(1);
    expect(socket.closedWith).toBe(1008);
  });

  it.each(["audio", "a message"])(
    "[FR-5] closes a peer that does not read with 1013 after %s, and sends no more",
    (what) => {
      const { socket, guarded } = rig();
      const send = (): void => {
        if (what === "audio") guarded.send(new Uint8Array(640));
        else guarded.notify(levels, () => "levels");
      };
      socket.unsentBytes = maxUnsentBytes;
      send();
      expect(socket.closedWith).toBeUndefined();
      socket.unsentBytes += 1;
      send();
      expect(socket.closedWith).toBe(1013);
      guarded.send("later");
      guarded.notify(levels, () => "later");
      expect(socket.sent).toHaveLength(2);
    },
  );

  it("[PLAY-2] lets audio pass what accompanies it, but not what is first, what stops it, and levels", () => {
    const { socket, guarded } = rig();
    const [inTurn, passed]: [string[], string[]] = [[], []];
    socket.sendSoon = (text) => void inTurn.push(text);
    socket.sendAfterAudio = (encode) => void passed.push(encode());
    const notices: Record<string, SessionNotice> = {
      interruption: { type: "event", payload: { name: "barge_in", reason: "speech" } },
      resumption: { type: "event", payload: { name: "false_interruption" } },
      levels,
      error: { type: "error", payload: { code: "validation_error", message: "" } },
      words: { type: "response", payload: { text: "", turn_id: "turn-1", is_final: true, agent: "a" } },
    };
    for (const [name, notice] of Object.entries(notices)) guarded.notify(notice, () => name);
    expect([inTurn, passed]).toEqual([
      ["interruption", "levels"],
      ["resumption", "error", "words"],
    ]);
  });

  it("sends nothing to a peer that has left", () => {
    const { socket, guarded } = rig();
    socket.onClose?.("closed with 1000");
    guarded.send("later");
    guarded.close("finished");
    expect([socket.sent, socket.closedWith]).toEqual([[], undefined]);
  });

  it("reports why we closed it, whatever the peer answers, and otherwise how the peer left", () => {
    const [ours, theirs] = [rig(), rig()];
    ours.guarded.close("slowReader");
    ours.socket.onClose?.("closed with 1006");
    theirs.socket.onClose?.("closed with 1001");
    expect([ours.reports, theirs.reports]).toEqual([["closed with 1013 (slowReader)"], ["closed with 1001"]]);
  });
});
