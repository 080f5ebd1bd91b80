import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { describe, expect, it } from "vitest";

import { ApiProblem, describeProblem } from "../api/api-problem.ts";
import { ReconnectingSocket } from "./reconnecting-socket.ts";
import type { SocketEvents } from "./reconnecting-socket.ts";

function open(url?: () => string | Promise<string>, options: { readonly neverGivesUp?: boolean } = {}) {
  const clock = new VirtualClock();
  const attempts: { readonly url: string; readonly events: SocketEvents; sent: unknown[]; closed: boolean }[] = [];
  const states: string[] = [];
  const texts: string[] = [];
  const socket = new ReconnectingSocket({
    ...options,
    clock,
    random: () => 0,
    url: url ?? (() => `ws://service/${attempts.length}`),
    openSocket: (url, events) => {
      const attempt = { url, events, sent: [] as unknown[], closed: false };
      attempts.push(attempt);
      return {
        send: (data) => attempt.sent.push(data),
        close: () => {
          attempt.closed = true;
        },
      };
    },
    onState: (state) => states.push(state.kind),
    onText: (text) => texts.push(text),
    onBinary: () => undefined,
  });
  const last = () => {
    const attempt = attempts.at(-1);
    if (attempt === undefined) throw new Error("no attempt was made");
    return attempt;
  };
  return { clock, attempts, states, texts, socket, last };
}

describe("the reconnecting socket", () => {
  it("sends once it is open and says so when it is not", () => {
    const { socket, last, states } = open();
    socket.open();
    expect(socket.send("early")).toBe(false);
    last().events.onOpen();
    expect(socket.send("hello")).toBe(true);
    expect({ states, sent: last().sent }).toEqual({ states: ["connecting", "open"], sent: ["hello"] });
  });

  it("comes back after a loss, at the address of the moment, and waits longer each time", () => {
    const { socket, last, states, clock, attempts } = open();
    socket.open();
    last().events.onOpen();
    last().events.onClose(1006, "");
    clock.advance(124);
    expect(attempts.length).toBe(1);
    clock.advance(1);
    expect(last().url).toBe("ws://service/1");
    last().events.onClose(1006, "");
    clock.advance(249);
    expect(attempts.length).toBe(2);
    clock.advance(1);
    last().events.onOpen();
    expect(states).toEqual(["connecting", "open", "waiting", "connecting", "waiting", "connecting", "open"]);
  });

  it("starts counting anew after a success", () => {
    const { socket, last, clock } = open();
    socket.open();
    for (let failure = 0; failure < 4; failure += 1) {
      last().events.onClose(1006, "");
      clock.advance(5000);
    }
    last().events.onOpen();
    last().events.onClose(1006, "");
    expect(socket.state).toEqual({ kind: "waiting", attempt: 1, delayMs: 125 });
  });

  it("does not insist when it is refused, and keeps the service's reason", () => {
    const { socket, last, clock } = open();
    socket.open();
    last().events.onClose(1008, "unknown scenario");
    expect(socket.state).toEqual({ kind: "closed", reason: "refused", detail: "unknown scenario" });
    expect(clock.pendingTimers).toBe(0);
  });

  it("gives up when nobody answers, until it is opened again", () => {
    const { socket, last, clock, attempts } = open();
    socket.open();
    for (let failure = 0; failure < 20; failure += 1) {
      last().events.onClose(1006, "");
      clock.advance(5000);
    }
    expect(socket.state).toMatchObject({ kind: "closed", reason: "unreachable" });
    const before = attempts.length;
    socket.open();
    expect(attempts.length).toBe(before + 1);
  });

  it("goes on trying where nobody is there to ask it to", () => {
    const { socket, last, clock } = open(undefined, { neverGivesUp: true });
    socket.open();
    for (let failure = 0; failure < 5000; failure += 1) {
      last().events.onClose(1006, "");
      clock.advance(5000);
    }
    expect(socket.state.kind).toBe("connecting");
    last().events.onOpen();
    expect(socket.state.kind).toBe("open");
  });

  it("tries at once when asked to while it waits", () => {
    const { socket, last, clock, attempts } = open();
    socket.open();
    last().events.onClose(1006, "");
    socket.open();
    expect(attempts.length).toBe(2);
    clock.advance(10_000);
    expect(attempts.length).toBe(2);
  });

  it("hears nothing more from a socket it has closed", () => {
    const { socket, last, texts, states, clock } = open();
    socket.open();
    last().events.onOpen();
    socket.close();
    last().events.onText("late");
    last().events.onClose(1006, "");
    expect({ texts, closed: last().closed, timers: clock.pendingTimers }).toEqual({
      texts: [],
      closed: true,
      timers: 0,
    });
    expect(states).toEqual(["connecting", "open", "closed"]);
  });

  it("waits for the address where one has to be asked for, and asks again after a loss", async () => {
    let tickets = 0;
    const { socket, attempts, last, clock } = open(() => Promise.resolve(`ws://service/?ticket=${(tickets += 1)}`));
    socket.open();
    expect(attempts).toEqual([]);
    await settled();
    expect(last().url).toBe("ws://service/?ticket=1");
    last().events.onClose(1006, "");
    clock.advance(5000);
    await settled();
    expect(last().url).toBe("ws://service/?ticket=2");
  });

  it("opens nothing at an address that came after it was closed", async () => {
    const { socket, attempts, states } = open(() => Promise.resolve("ws://service/"));
    socket.open();
    socket.close();
    await settled();
    expect({ attempts, states }).toEqual({ attempts: [], states: ["connecting", "closed"] });
  });

  it("gives up with the service's reason when it may not have an address", async () => {
    const problem = new ApiProblem(403, { type: "forbidden", detail: "This session belongs to somebody else." });
    const { socket } = open(() => Promise.reject(problem));
    socket.open();
    await settled();
    expect(socket.state).toEqual({ kind: "closed", reason: "refused", detail: describeProblem(problem) });
  });

  it.each([new ApiProblem(503, { detail: "The store is away." }), new TypeError("nobody answers")])(
    "tries again when the address could not be had: %s",
    async (problem) => {
      const { socket } = open(() => Promise.reject(problem));
      socket.open();
      await settled();
      expect(socket.state.kind).toBe("waiting");
    },
  );
});

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));
