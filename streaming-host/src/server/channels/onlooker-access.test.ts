import type { Caller } from "@voice/shared/auth/caller";
import type { TicketGrant } from "@voice/shared/state/records/ticket-store";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { channelsRig } from "../../testing/channels-rig.ts";

const problem = z.object({ type: z.literal("error"), payload: z.object({ code: z.string(), message: z.string() }) });
const minuteMs = 60_000;
const sessionId = "session-that-is-watched";
const relay = `/api/v1/realtime/dashboard/relay?session_id=${sessionId}`;
const listening = `/api/v1/realtime/listen?session_id=${sessionId}`;
const conversation = `/api/v1/browser/conversation?session_id=${sessionId}`;

async function onlooker(address: string, changes: Partial<Caller> = {}) {
  const rig = channelsRig({ options: { idleMs: 24 * 60 * minuteMs } });
  const tokenExpiresAtMs = rig.clock.wallNow() + 10 * minuteMs;
  const caller = {
    subject: "olga",
    isOperator: true,
    mayPlaceCalls: true,
    mayMakeAgents: true,
    tokenExpiresAtMs,
    ...changes,
  };
  const { socket, connection } = rig.open(address, {}, caller);
  await connection;
  return {
    ...rig,
    socket,
    settle: () => rig.clock.advanceAsync(1),
    wait: (minutes: number) => rig.clock.advanceAsync(minutes * minuteMs, minuteMs),
    renew: async (grant: Partial<TicketGrant> = {}) => {
      const { ticket } = await rig.state.tickets.create({
        subject: "olga",
        isOperator: true,
        purpose: { type: address === relay ? "watch" : "listen", sessionId },
        tokenExpiresAtMs: rig.clock.wallNow() + 10 * minuteMs,
        ...grant,
      });
      socket.deliver(JSON.stringify({ type: "renew", ticket }));
      await rig.clock.advanceAsync(1);
      return ticket;
    },
  };
}

describe.each([
  ["a dashboard", relay],
  ["a listener", listening],
])("%s", (_name, address) => {
  it("[ACCESS-21a] is closed with 4401 a minute after its token has expired", async () => {
    const { socket, wait } = await onlooker(address);
    await wait(10);
    expect(socket.closedWith).toBeUndefined();
    await wait(1);
    expect(socket.closedWith).toBe(4401);
  });

  it("[FR-10] is answered its pings, whether or not its token ends", async () => {
    for (const changes of [{}, { tokenExpiresAtMs: undefined }]) {
      const { socket, settle } = await onlooker(address, changes);
      socket.deliver('{"type":"ping"}');
      await settle();
      expect(socket.sent.filter((data) => typeof data === "string" && data.includes('"pong"')).length).toBe(1);
    }
  });

  it("[FR-3] is told what is wrong with a message, and with a ticket that does not renew anything", async () => {
    const { socket, settle, renew } = await onlooker(address);
    const problems = (): unknown[] =>
      socket.sent
        .flatMap((data): unknown[] => (typeof data === "string" ? [JSON.parse(data)] : []))
        .flatMap((said) => problem.safeParse(said).data?.payload ?? []);
    for (const text of ["hello", '{"type":"text","text":"hello"}', '{"type":"renew"}', "x".repeat(100_000)]) {
      socket.deliver(text);
      await settle();
    }
    expect(problems()).toEqual(
      Array.from({ length: 4 }, () => ({ code: "validation_error", message: expect.stringContaining("ping") })),
    );
    socket.deliver(new Uint8Array(3));
    await settle();
    expect(problems().at(-1)).toEqual({ code: "validation_error", message: expect.stringMatching(/audio/i) });
    await renew({ subject: "oscar" });
    expect(problems().at(-1)).toEqual({ code: "unauthorized", message: expect.stringContaining("does not renew") });
    expect(problems()).toHaveLength(6);
    expect(socket.closedWith).toBeUndefined();
  });

  it("[ACCESS-21b] stays open where a ticket renews it, as often as it does", async () => {
    const { socket, wait, renew } = await onlooker(address);
    for (let times = 0; times < 5; times += 1) {
      await wait(9);
      await renew();
    }
    await wait(10);
    expect(socket.closedWith).toBeUndefined();
    await wait(2);
    expect(socket.closedWith).toBe(4401);
  });

  it.each<[string, Partial<TicketGrant>]>([
    ["somebody else", { subject: "oscar" }],
    ["another session", { purpose: { type: "watch", sessionId: "another-session" } }],
    ["a conversation", { purpose: { type: "converse", sessionId } }],
  ])("[ACCESS-21b] is not renewed by a ticket for %s", async (_whose, grant) => {
    const { socket, wait, renew } = await onlooker(address);
    await wait(9);
    await renew(grant);
    await wait(3);
    expect(socket.closedWith).toBe(4401);
  });

  it("[ACCESS-21b] is not renewed by a ticket that was used, nor by words that are no ticket", async () => {
    const { socket, wait, renew, settle } = await onlooker(address);
    const ticket = await renew();
    await wait(9);
    for (const text of [JSON.stringify({ type: "renew", ticket }), "renew", '{"type":"renew"}', "x".repeat(100_000)]) {
      socket.deliver(text);
      await settle();
    }
    await wait(3);
    expect(socket.closedWith).toBe(4401);
  });

  it("[ACCESS-21e] stays open while authentication is off, however long", async () => {
    const { socket, wait } = await onlooker(address, { tokenExpiresAtMs: undefined });
    await wait(24 * 60);
    expect(socket.closedWith).toBeUndefined();
  });

  it("leaves no timer behind when its peer leaves", async () => {
    const { socket, clock } = await onlooker(address);
    socket.onClose?.("closed with 1005");
    expect(clock.pendingTimers).toBe(0);
  });

  it("is over at once, for watchers as well, when its peer left before it was opened", async () => {
    const { open, state, clock } = channelsRig();
    const told: string[] = [];
    await state.liveUpdates.watch({ sessionId }, ({ text }) => void told.push(text));
    const { socket, connection } = open(address);
    socket.start = () => socket.onClose?.("closed before it began");
    await connection;
    expect(clock.pendingTimers).toBe(0);
    expect(told.at(-1) ?? "").not.toContain('"listening"');
  });
});

it("[ACCESS-21c] a dashboard sees what the token of the newest ticket allows", async () => {
  const { socket, state, renew } = await onlooker(relay);
  const publish = (text: string) => state.liveUpdates.publish({ sessionId, owner: "anna", text });
  publish("as an operator");
  await renew({ isOperator: false });
  publish("without the role");
  expect(socket.sent).toEqual(["as an operator"]);
});

it("[ACCESS-22] a caller's conversation goes on when the token with which it began has expired", async () => {
  const { socket, wait } = await onlooker(conversation);
  await wait(15);
  expect(socket.closedWith).toBeUndefined();
});
