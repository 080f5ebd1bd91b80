import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { describe, expect, it } from "vitest";

import { ServiceProblem } from "./service-problem.ts";
import { ReconnectingSocket } from "./reconnecting-socket.ts";
import type { SocketSurroundings, SocketEvents } from "./reconnecting-socket.ts";
import type { TicketedAddress } from "./socket-address.ts";

const minuteMs = 60_000;

/** A socket that is open, with a ticket of a token that is good for ten minutes. */
async function open(endsInMs: number | null = 10 * minuteMs) {
  const clock = new VirtualClock();
  const sent: unknown[] = [];
  const texts: string[] = [];
  const states: string[] = [];
  let tickets = 0;
  let sockets = 0;
  let events: SocketEvents | undefined;
  const service = { problem: undefined as Error | undefined };
  const surroundings: SocketSurroundings = {
    clock,
    random: () => 0,
    whenBack: () => () => undefined,
    openSocket: (_url, opened) => {
      sockets += 1;
      events = opened;
      return { send: (data) => sent.push(data), close: () => undefined };
    },
  };
  const socket = new ReconnectingSocket(surroundings, {
    url: async (): Promise<TicketedAddress> => {
      if (service.problem !== undefined) throw service.problem;
      tickets += 1;
      return { url: "wss://v.example/relay", ticket: `ticket-${tickets}`, endsInMs: endsInMs ?? undefined };
    },
    onState: ({ kind }) => states.push(kind),
    onText: (text) => texts.push(text),
  });
  socket.open();
  await clock.advanceAsync(1);
  events?.onOpen();
  return {
    clock,
    sent,
    states,
    texts,
    socket,
    service,
    receive: (text: string) => events?.onText(text),
    drop: (code: number) => events?.onClose(code, ""),
    wait: (ms: number) => clock.advanceAsync(ms, 1000),
    get opened() {
      return sockets;
    },
  };
}

const renewal = (ticket: string) => JSON.stringify({ type: "renew", ticket });

describe("[ACCESS-21d] a socket that a ticket has opened", () => {
  it("sends a newer one half a minute before its token expires, and goes on as it was", async () => {
    const watched = await open();
    await watched.wait(9 * minuteMs);
    expect(watched.sent).toEqual([]);
    watched.receive("before");
    await watched.wait(minuteMs / 2);
    watched.receive("after");
    await watched.wait(10 * minuteMs);
    expect(watched.sent).toEqual([renewal("ticket-2"), renewal("ticket-3")]);
    expect(watched).toMatchObject({ opened: 1, states: ["connecting", "open"], texts: ["before", "after"] });
  });

  it("tries again every ten seconds while no ticket can be had, but not where it is refused", async () => {
    const watched = await open();
    watched.service.problem = new TypeError("nobody answers");
    await watched.wait(9.5 * minuteMs);
    watched.service.problem = new ServiceProblem(429, { type: "rate_limited", detail: "Too many." });
    await watched.wait(10_000);
    watched.service.problem = undefined;
    await watched.wait(10_000);
    expect(watched.sent).toEqual([renewal("ticket-2")]);
    watched.service.problem = new ServiceProblem(403, { type: "forbidden", detail: "Only operators may do this." });
    await watched.wait(20 * minuteMs);
    expect([watched.socket.state.kind, watched.clock.pendingTimers]).toEqual(["open", 0]);
  });

  it("does not ask in a loop where the provider gives out the same token again", async () => {
    const watched = await open(0);
    await watched.wait(minuteMs);
    expect(watched.sent).toHaveLength(6);
  });

  it("is opened with another where it was closed for an expired token, and says why not where that is refused", async () => {
    const watched = await open();
    watched.drop(4401);
    await watched.wait(2000);
    expect(watched.opened).toBe(2);
    watched.service.problem = new ServiceProblem(403, { type: "forbidden", detail: "Only operators may do this." });
    watched.drop(4401);
    await watched.wait(2000);
    expect(watched.socket.state).toMatchObject({ kind: "closed", reason: "refused" });
  });

  it("renews nothing that does not expire, nor what has been closed", async () => {
    expect((await open(null)).clock.pendingTimers).toBe(0);
    const watched = await open();
    watched.socket.close();
    expect(watched.clock.pendingTimers).toBe(0);
  });
});
