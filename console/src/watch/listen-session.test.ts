import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { describe, expect, it } from "vitest";

import type { SocketEvents } from "@voice/client-kit/connection/reconnecting-socket";
import { ApiProblem } from "../api/api-problem.ts";
import { ListenSession } from "./listen-session.ts";
import type { ListenSessionOptions } from "./listen-session.ts";

function rig(socketUrl: ListenSessionOptions["socketUrl"] = (id) => `wss://v.example/listen?session_id=${id}`) {
  const heard: string[] = [];
  const closed: string[] = [];
  let events: SocketEvents | undefined;
  const voice = (name: string) => ({
    play: (samples: ArrayBuffer, rateHz: number) => void heard.push(`${name} ${samples.byteLength} at ${rateHz}`),
    close: () => void closed.push(name),
  });
  const listen = new ListenSession({
    clock: new VirtualClock(),
    random: () => 0,
    whenBack: () => () => undefined,
    socketUrl,
    describeProblem: () => "Ask whoever runs the service.",
    openSocket: (_url, opened) => {
      events = opened;
      return { send: () => undefined, close: () => void closed.push("socket") };
    },
    openVoices: () => Promise.resolve({ caller: voice("caller"), agent: voice("agent") }),
  });
  const receive = (payload: object): void =>
    events?.onText(JSON.stringify({ type: "audio", session_id: "s", timestamp: "2026-01-01T00:00:00.000Z", payload }));
  return { listen, heard, closed, receive };
}

describe("listening in", () => {
  it("plays each side with a voice of its own", async () => {
    const { listen, heard, receive } = rig();
    await listen.start("session-1");
    receive({ data: btoa("\0".repeat(640)), sample_rate: 16_000, speaker: "caller" });
    receive({ data: btoa("\0".repeat(320)), sample_rate: 8000, speaker: "agent" });
    expect(heard).toEqual(["caller 640 at 16000", "agent 320 at 8000"]);
  });

  it("describes a refused ticket as the page describes every problem", async () => {
    const { listen } = rig(() => Promise.reject(new ApiProblem(403, { detail: "The caller may not do this." })));
    await listen.start("session-1");
    await Promise.resolve();
    expect(listen.store.get()).toMatchObject({
      connection: { kind: "closed", reason: "refused", detail: "Ask whoever runs the service." },
    });
  });

  it("leaves nothing open when it stops", async () => {
    const { listen, closed } = rig();
    await listen.start("session-1");
    listen.stop();
    expect(closed).toEqual(["socket", "caller", "agent"]);
    expect(listen.store.get().kind).toBe("off");
  });

  it("opens nothing that was called off while the sound was being made ready", async () => {
    const { listen, closed } = rig();
    const started = listen.start("session-1");
    listen.stop();
    await started;
    expect(closed).toEqual(["caller", "agent"]);
    expect(listen.store.get().kind).toBe("off");
  });
});
