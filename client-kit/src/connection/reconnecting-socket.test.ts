import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { describe, expect, it } from "vitest";

import { ReconnectingSocket } from "./reconnecting-socket.ts";
import { ServiceProblem } from "./service-problem.ts";
import type { ReconnectingSocketOptions, SocketEvents, SocketSurroundings } from "./reconnecting-socket.ts";

function open(
  url?: () => string | Promise<string>,
  options: Pick<ReconnectingSocketOptions, "neverGivesUp" | "checkRequest" | "urlWithoutTicket"> = {},
) {
  const clock = new VirtualClock();
  const attempts: { readonly url: string; readonly events: SocketEvents; sent: unknown[]; closed: boolean }[] = [];
  const states: string[] = [];
  const texts: string[] = [];
  const toldWhenBack = new Set<() => void>();
  const surroundings: SocketSurroundings = {
    clock,
    random: () => 0,
    whenBack: (callback) => {
      toldWhenBack.add(callback);
      return () => void toldWhenBack.delete(callback);
    },
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
  };
  const socket = new ReconnectingSocket(surroundings, {
    ...options,
    url: url ?? (() => `ws://service/${attempts.length}`),
    onState: (state) => states.push(state.kind),
    onText: (text) => texts.push(text),
  });
  const last = () => {
    const attempt = attempts.at(-1);
    if (attempt === undefined) throw new Error("no attempt was made");
    return attempt;
  };
  const comeBack = (): void => {
    for (const tell of toldWhenBack) tell();
  };
  return { clock, attempts, states, texts, socket, last, comeBack };
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
    clock.advance(15_000);
    last().events.onClose(1006, "");
    expect(socket.state).toEqual({ kind: "waiting", attempt: 1, delayMs: 125 });
  });

  it.each([
    [1011, 0],
    [4408, 10_000],
  ])("waits longer each time, and gives up, where what it opens is always closed with %d", (code, afterMs) => {
    const { socket, last, clock, attempts } = open();
    socket.open();
    while (socket.state.kind !== "closed") {
      last().events.onOpen();
      clock.advance(afterMs);
      last().events.onClose(code, "");
      if (socket.state.kind === "waiting") clock.advance(socket.state.delayMs);
    }
    expect(socket.state.reason).toBe("unreachable");
    expect(attempts.length).toBeLessThan(60);
  });

  it("goes on for two minutes, in which a service can start again", () => {
    const { socket, last, clock } = open();
    socket.open();
    last().events.onOpen();
    clock.advance(60_000);
    for (let downMs = 0; downMs < 115_000; downMs += 2500) {
      last().events.onClose(1006, "");
      clock.advance(2500);
    }
    last().events.onOpen();
    expect(socket.state.kind).toBe("open");
  });

  it("tries again where a handshake is never answered, as in a network that loses everything", () => {
    const { socket, attempts, clock } = open();
    socket.open();
    clock.advance(20_000);
    expect([socket.state.kind, attempts[0]?.closed]).toEqual(["waiting", true]);
    attempts[0]?.events.onOpen();
    clock.advance(125);
    expect([socket.state.kind, attempts.length]).toEqual(["connecting", 2]);
  });

  it("has as long as it likes once it is open", () => {
    const { socket, last, clock } = open();
    socket.open();
    last().events.onOpen();
    clock.advance(3_600_000);
    expect(socket.state.kind).toBe("open");
  });

  it("tries again where a ticket never comes", async () => {
    const tickets: ((url: string) => void)[] = [];
    const { socket, clock, attempts, last } = open(() => new Promise((resolve) => void tickets.push(resolve)));
    socket.open();
    clock.advance(20_125);
    tickets[0]?.("ws://service/?ticket=late");
    tickets[1]?.("ws://service/?ticket=2");
    await settled();
    expect([attempts.length, last().url]).toEqual([1, "ws://service/?ticket=2"]);
  });

  it("tries at once when the network is there again, or the page is looked at", () => {
    const { socket, last, clock, attempts, comeBack } = open();
    socket.open();
    last().events.onClose(1006, "");
    comeBack();
    expect([socket.state.kind, attempts.length]).toEqual(["connecting", 2]);
    while (socket.state.kind !== "closed") {
      last().events.onClose(1006, "");
      if (socket.state.kind === "waiting") clock.advance(socket.state.delayMs);
    }
    comeBack();
    expect(socket.state.kind).toBe("connecting");
  });

  it("leaves alone what works, what is over and what was refused when somebody looks at the page", () => {
    for (const code of [1000, 1008, 4409]) {
      const { socket, last, attempts, comeBack } = open();
      socket.open();
      comeBack();
      last().events.onOpen();
      comeBack();
      last().events.onClose(code, "");
      comeBack();
      expect([socket.state.kind, attempts.length]).toEqual(["closed", 1]);
    }
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
    for (let failure = 0; failure < 60; failure += 1) {
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
    const problem = new ServiceProblem(403, { type: "forbidden", detail: "This session belongs to somebody else." });
    const { socket } = open(() => Promise.reject(problem));
    socket.open();
    await settled();
    expect(socket.state).toEqual({
      kind: "closed",
      reason: "refused",
      detail: "This session belongs to somebody else.",
    });
  });

  it.each([
    new ServiceProblem(503, { detail: "The store is away." }),
    new ServiceProblem(429, { detail: "Too many." }),
    new ServiceProblem(408, { detail: "Too slow." }),
    new ServiceProblem(404, undefined),
    new TypeError("nobody answers"),
  ])("tries again when the address could not be had: %s", async (problem) => {
    const { socket } = open(() => Promise.reject(problem));
    socket.open();
    await settled();
    expect(socket.state.kind).toBe("waiting");
  });

  it.each([
    new ServiceProblem(404, { type: "not_found", detail: "There is no such session." }),
    new ServiceProblem(401, undefined),
    new ServiceProblem(403, undefined),
    new ServiceProblem(422, { detail: [{ loc: ["body", "session_id"], msg: "Too long", type: "x" }] }),
  ])("does not insist when the address is refused: %s", async (problem) => {
    const { socket, clock } = open(() => Promise.reject(problem));
    socket.open();
    await settled();
    expect([socket.state, clock.pendingTimers]).toMatchObject([{ kind: "closed", reason: "refused" }, 0]);
  });

  it("finds out why a handshake was refused, and goes on where the service is only away", async () => {
    const problems = [
      new TypeError("nobody answers"),
      new ServiceProblem(503, { detail: "The store is away." }),
      new ServiceProblem(404, { detail: "There is no such profile." }),
    ];
    const { socket, last, clock } = open(undefined, { checkRequest: () => Promise.reject(problems.shift()) });
    socket.open();
    for (let failure = 0; failure < 2; failure += 1) {
      last().events.onClose(1006, "");
      await settled();
      expect(socket.state.kind).toBe("waiting");
      clock.advance(5000);
    }
    last().events.onClose(1006, "");
    await settled();
    expect(socket.state).toMatchObject({ kind: "closed", reason: "refused", detail: "There is no such profile." });
    expect(clock.pendingTimers).toBe(0);
  });

  it("does not look for a reason where the socket was open", async () => {
    let checks = 0;
    const { socket, last } = open(undefined, { checkRequest: () => Promise.resolve(void (checks += 1)) });
    socket.open();
    last().events.onOpen();
    last().events.onClose(1006, "");
    await settled();
    expect(checks).toBe(0);
  });

  it("asks again when the service says that it may, and says when where that is too long to wait", async () => {
    let retryAfter = "12";
    const { socket } = open(() => Promise.reject(new ServiceProblem(429, { detail: "Too many." }, retryAfter)));
    socket.open();
    await settled();
    expect(socket.state).toMatchObject({ kind: "waiting", delayMs: 12_000 });
    retryAfter = "1800";
    socket.open();
    await settled();
    const detail = "Too many. It can be tried again in 1800 s.";
    expect(socket.state).toEqual({ kind: "closed", reason: "unreachable", detail });
  });

  it("[CLIENT-3] opens the socket without a ticket where none is to be had, and shows why the page is refused there", async () => {
    const { socket, last } = open(() => Promise.reject(new TypeError("Failed to fetch")), {
      urlWithoutTicket: () => "wss://voice.example/conversation",
    });
    socket.open();
    await settled();
    expect([socket.state.kind, last().url]).toEqual(["connecting", "wss://voice.example/conversation"]);
    last().events.onOpen();
    last().events.onClose(4403, "pages of this origin may not use the service");
    expect(socket.state).toEqual({
      kind: "closed",
      reason: "refused",
      detail: "pages of this origin may not use the service",
    });
  });

  it("[CLIENT-3] tries again where nobody answers there either", async () => {
    const { socket, last } = open(() => Promise.reject(new TypeError("Failed to fetch")), {
      urlWithoutTicket: () => "wss://voice.example/conversation",
    });
    socket.open();
    await settled();
    last().events.onClose(1006, "");
    expect(socket.state.kind).toBe("waiting");
  });
});

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));
