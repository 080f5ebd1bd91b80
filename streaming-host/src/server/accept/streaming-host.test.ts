import { anonymous } from "@voice/shared/auth/caller";
import type { Caller } from "@voice/shared/auth/caller";
import { BadRequestError, VoiceError } from "@voice/shared/platform/errors";
import { silentLogger } from "@voice/shared/platform/logger";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { describe, expect, it } from "vitest";
import { FakePeerStream, FakeUpgrader, fakeRequest } from "../../testing/fake-upgrade.ts";
import type { FakeSocket } from "../../testing/fake-socket.ts";
import type { CloseReason } from "../../transports/close-reasons.ts";
import type { LiveConnection } from "./live-connections.ts";
import { StreamingHost } from "./streaming-host.ts";
import type { AcceptedSocket, StreamingHostOptions } from "./streaming-host.ts";

const conversation = "/api/v1/browser/conversation";
const dashboard = "/api/v1/browser/dashboard/relay";
const listening = "/api/v1/realtime/listen?session_id=session-1";

const oneSession = { maxSessions: 1, maxDashboards: 2, maxTelephonyOpenings: 1 };

/** What a test has opened on a socket. */
class FakeConnection implements LiveConnection {
  readonly accepted: AcceptedSocket;
  goodbyes = 0;
  closedWith: CloseReason | undefined;

  constructor(accepted: AcceptedSocket) {
    this.accepted = accepted;
  }

  drain(): void {
    this.goodbyes++;
  }

  async close(reason: CloseReason): Promise<void> {
    this.closedWith ??= reason;
    this.accepted.onClosed();
  }
}

function startRig(options: Partial<StreamingHostOptions> = {}) {
  const clock = new VirtualClock();
  const upgrader = new FakeUpgrader();
  const opened: FakeConnection[] = [];
  const host = new StreamingHost({
    limits: { maxSessions: 2, maxDashboards: 2, maxTelephonyOpenings: 1 },
    isOverloaded: () => false,
    clock,
    logger: silentLogger,
    upgrader,
    admit: async (_request, route) => ({ caller: anonymous, route }),
    async open(accepted) {
      const connection = new FakeConnection(accepted);
      opened.push(connection);
      return connection;
    },
    ...options,
  });

  async function ask(path = conversation): Promise<FakePeerStream> {
    const stream = new FakePeerStream();
    host.handleUpgrade(fakeRequest(path), stream, Buffer.alloc(0));
    await clock.advanceAsync(1);
    return stream;
  }

  const socket = (index: number): FakeSocket | undefined => upgrader.sockets[index];
  return { clock, upgrader, opened, host, ask, socket };
}

describe("a page of another origin", () => {
  it("[CLIENT-1] is told by a close code, and nothing is opened for it", async () => {
    const refusal = { status: 403, code: "forbidden", detail: "no", closesFor: "foreignOrigin" } as const;
    const { ask, socket, opened, upgrader, host } = startRig({ admit: async () => refusal });
    await ask();
    expect(socket(0)).toMatchObject({ closedWith: 4403, sent: [] });
    expect([opened.length, upgrader.sockets.length, host.placesTaken]).toEqual([0, 1, 0]);
  });
});

describe("connection counts", () => {
  it("are all 0 before anybody has come", () => {
    expect(Object.values(startRig().host.counts())).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
  });

  it("are told whenever a place is taken or free again, so that the next call finds its way", async () => {
    const told: number[] = [];
    const { host, ask, opened } = startRig();
    host.whenPlacesChange(() => void told.push(host.placesTaken));
    await ask();
    expect(told.at(-1)).toBe(1);
    await opened[0]?.close("finished");
    expect(told.at(-1)).toBe(0);
  });

  it("is a phone call where the communication service brings it, and a media stream where a client does", async () => {
    const { host, clock, opened } = startRig();
    for (const headers of [{ "x-ms-call-connection-id": "connection-1" }, {}]) {
      const request = fakeRequest("/api/v1/media/stream?call_connection_id=connection-1", headers);
      host.handleUpgrade(request, new FakePeerStream(), Buffer.alloc(0));
      await clock.advanceAsync(1);
    }
    expect(host.counts()).toMatchObject({ phone: 1, media: 1, connected: 2 });
    expect(host.placesTaken).toBe(2);
    await opened[0]?.close("finished");
    expect(host.counts()).toMatchObject({ phone: 0, media: 1 });
  });
});

describe("what one kind of socket may take from the others", () => {
  const never = new Promise<never>(() => undefined);
  const telephony = "/api/v1/telephony/stream";

  it("[HS-3b] leaves the places of conversations free while silent telephony sockets wait to be opened", async () => {
    const { ask, host } = startRig({
      limits: { maxSessions: 3, maxDashboards: 1, maxTelephonyOpenings: 1 },
      open: (_accepted, route) => (route.kind === "telephony" ? never : Promise.resolve(idleConnection)),
    });
    expect([await ask(telephony), await ask(telephony)].map(({ status }) => status)).toEqual([undefined, 503]);
    expect((await ask()).status).toBeUndefined();
    expect(host.counts().browser).toBe(1);
  });

  it.each([
    ["open", {}],
    ["being opened", { open: () => never }],
  ])("[HS-3b] refuses more dashboards than a host may have while they are %s", async (_state, options) => {
    const { ask } = startRig({ limits: { maxSessions: 3, maxDashboards: 1, maxTelephonyOpenings: 1 }, ...options });
    expect([await ask(dashboard), await ask(dashboard)].map(({ status }) => status)).toEqual([undefined, 503]);
    expect((await ask()).status).toBeUndefined();
  });

  it("[ACCESS-23] leaves three quarters of the dashboards to others than one user", async () => {
    const limits = { maxSessions: 1, maxDashboards: 8, maxTelephonyOpenings: 1 };
    let caller: Caller = { subject: "mallory", isOperator: false, mayPlaceCalls: false, mayMakeAgents: false };
    const { ask, opened } = startRig({ limits, admit: async (_request, route) => ({ caller, route }) });
    const statuses = async (): Promise<unknown[]> => [(await ask(dashboard)).status, (await ask(dashboard)).status];
    expect([...(await statuses()), ...(await statuses())]).toEqual([undefined, undefined, 429, 429]);
    await opened[0]?.close("finished");
    expect(await statuses()).toEqual([undefined, 429]);
    caller = { ...caller, subject: "bob" };
    expect(await statuses()).toEqual([undefined, undefined]);
    caller = { ...caller, subject: "olga", isOperator: true };
    expect([...(await statuses()), ...(await statuses())]).toEqual([undefined, undefined, undefined, undefined]);
  });

  it("[HS-3d] [HS-3a] refuses new conversations while those that run are late, but not the stream of a call", async () => {
    const { ask } = startRig({ isOverloaded: () => true });
    expect((await ask()).status).toBe(503);
    expect((await ask("/api/v1/media/stream?call_connection_id=c-1")).status).toBeUndefined();
    expect((await ask(dashboard)).status).toBeUndefined();
  });
});

const idleConnection: LiveConnection = { drain: () => undefined, close: async () => undefined };

describe("upgrade requests", () => {
  it.each(["/nowhere", "//", "/"])("leaves %s to other listeners on the server", (path) => {
    const { host } = startRig();
    const stream = new FakePeerStream();
    expect(host.handleUpgrade(fakeRequest(path), stream, Buffer.alloc(0))).toBe(false);
    expect(stream.answer).toBe("");
  });

  it("[HS-2a] answers a query that means nothing with 400 and the name of the field", async () => {
    const { host, upgrader } = startRig();
    const stream = new FakePeerStream();
    expect(host.handleUpgrade(fakeRequest(`${conversation}?session_id=a%20b`), stream, Buffer.alloc(0))).toBe(true);
    expect(stream.status).toBe(400);
    expect(JSON.parse(stream.answer.split("\r\n\r\n")[1] ?? "")).toMatchObject({
      type: "validation_error",
      instance: conversation,
      errors: [{ field: "session_id" }],
    });
    expect(upgrader.sockets).toEqual([]);
  });

  it("answers 503 when it cannot be found out who may enter", async () => {
    const admit = async (): Promise<never> => {
      throw new VoiceError("cache_connection_failed", "the cache is away");
    };
    const { ask } = startRig({ admit });
    expect((await ask()).status).toBe(503);
  });

  it("survives a peer that resets its connection while it is examined", async () => {
    const { ask } = startRig({ admit: () => new Promise(() => undefined) });
    const stream = await ask();
    expect(() => stream.emit("error", new Error("ECONNRESET"))).not.toThrow();
  });
});

describe("capacity", () => {
  it("[HS-3a] refuses a conversation beyond the limit with 503 and Retry-After, and takes it when there is room", async () => {
    const { ask, opened, host } = startRig();
    await ask();
    await ask();
    const refused = await ask();
    expect(refused.status).toBe(503);
    expect(refused.answer).toContain("Retry-After: 5\r\n");
    opened[0]?.accepted.onClosed();
    expect((await ask()).status).toBeUndefined();
    expect(host.counts()).toMatchObject({ browser: 2, connected: 3, disconnected: 1 });
  });

  it("[HS-3a] counts conversations that are being opened", async () => {
    const { ask, upgrader } = startRig({ open: () => new Promise(() => undefined) });
    await ask();
    await ask();
    expect((await ask()).status).toBe(503);
    expect(upgrader.sockets).toHaveLength(2);
  });

  it("[FULL-4] takes the stream of a call though its own places are taken, up to a fifth more", async () => {
    const { host, clock, upgrader } = startRig({ limits: { ...oneSession, maxSessions: 5 } });
    const answers: (number | undefined)[] = [];
    for (let count = 0; count < 7; count++) {
      const stream = new FakePeerStream();
      const headers = { "x-ms-call-connection-id": `connection-${count}` };
      host.handleUpgrade(fakeRequest("/api/v1/media/stream", headers), stream, Buffer.alloc(0));
      await clock.advanceAsync(1);
      answers.push(stream.status);
    }
    expect(answers).toEqual([undefined, undefined, undefined, undefined, undefined, undefined, 503]);
    expect(upgrader.sockets).toHaveLength(6);
    const browser = new FakePeerStream();
    host.handleUpgrade(fakeRequest(conversation), browser, Buffer.alloc(0));
    await clock.advanceAsync(1);
    expect(browser.status).toBe(503);
  });

  it("[HS-3a] gives the last place once, also when two sockets ask for it at the same time", async () => {
    const { clock, host, upgrader } = startRig({ limits: oneSession });
    const streams = [new FakePeerStream(), new FakePeerStream()];
    for (const stream of streams) host.handleUpgrade(fakeRequest(conversation), stream, Buffer.alloc(0));
    await clock.advanceAsync(1);
    expect(streams.map(({ status }) => status)).toEqual([undefined, 503]);
    expect(upgrader.sockets).toHaveLength(1);
  });

  it("[HS-3b] has room for dashboards, which are no conversations", async () => {
    const { ask, host } = startRig({ limits: oneSession });
    await ask();
    await ask(dashboard);
    expect(host.counts()).toMatchObject({ browser: 1, dashboard: 1 });
  });

  it("[HS-3c] gives the place of a conversation that could not be opened to the next", async () => {
    let fails = true;
    const { ask, host } = startRig({
      limits: oneSession,
      async open(accepted) {
        if (fails) throw new VoiceError("internal_error", "a defect");
        return new FakeConnection(accepted);
      },
    });
    await ask();
    fails = false;
    await ask();
    expect(host.counts()).toMatchObject({ browser: 1, connected: 1, disconnected: 0 });
  });
});

describe("the opening of a socket", () => {
  it("[HS-7] takes at most 10 s; then the socket is closed with 4408", async () => {
    const { ask, clock, socket } = startRig({ open: () => new Promise(() => undefined) });
    await ask();
    clock.advance(9_900);
    expect(socket(0)?.closedWith).toBeUndefined();
    clock.advance(100);
    expect(socket(0)?.closedWith).toBe(4408);
  });

  it("[HS-7] has no deadline any more once it is open", async () => {
    const { ask, clock, socket } = startRig();
    await ask();
    clock.advance(60_000);
    expect(socket(0)?.closedWith).toBeUndefined();
    expect(clock.pendingTimers).toBe(0);
  });

  it("[HS-7] keeps nothing of a peer that has left before it was open", async () => {
    const opening = Promise.withResolvers<LiveConnection>();
    const asked: AcceptedSocket[] = [];
    const { ask, clock, host } = startRig({
      open(accepted) {
        asked.push(accepted);
        return opening.promise;
      },
    });
    await ask();
    const [accepted] = asked;
    if (accepted === undefined) throw new Error("nothing was opened");
    accepted.onClosed();
    opening.resolve(new FakeConnection(accepted));
    await clock.advanceAsync(1);
    expect(host.counts()).toMatchObject({ browser: 0, connected: 0 });
  });

  it.each([
    [new BadRequestError("not_found", "No such media session."), 1008],
    [new VoiceError("internal_error", "a defect"), 1011],
  ])("closes the socket when it fails with %s", async (failure, code) => {
    const open = async (): Promise<never> => {
      throw failure;
    };
    const { ask, socket } = startRig({ open });
    await ask();
    expect(socket(0)?.closedWith).toBe(code);
  });
});

describe("a host that drains", () => {
  it("[DRAIN-1] takes no new sockets, and is over at once when it has none", async () => {
    const { host, ask, upgrader, clock } = startRig();
    await host.drain(60_000);
    expect(host.isDraining).toBe(true);
    expect((await ask()).status).toBe(503);
    expect((await ask(dashboard)).status).toBe(503);
    expect(upgrader.isClosed).toBe(true);
    expect(clock.pendingTimers).toBe(0);
  });

  it("[DRAIN-1] sends those who watch away at once, and lets conversations finish until 5 s before the deadline", async () => {
    const { host, ask, opened, clock } = startRig();
    await ask();
    await ask(dashboard);
    await ask(listening);
    const drained = host.drain(60_000);
    expect(opened.map(({ goodbyes }) => goodbyes)).toEqual([0, 1, 1]);
    clock.advance(54_900);
    expect(opened[0]?.goodbyes).toBe(0);
    clock.advance(100);
    expect(opened[0]?.goodbyes).toBe(1);
    for (const { accepted } of opened) accepted.onClosed();
    await drained;
    expect(opened.map(({ closedWith }) => closedWith)).toEqual([undefined, undefined, undefined]);
    expect(clock.now()).toBeLessThan(60_000);
  });

  it.each([dashboard, listening])("[DRAIN-1] sends those who watch away who were being let in: %s", async (path) => {
    const opening = Promise.withResolvers<void>();
    const opened: FakeConnection[] = [];
    const { host, ask, clock } = startRig({
      async open(accepted) {
        await opening.promise;
        const connection = new FakeConnection(accepted);
        opened.push(connection);
        return connection;
      },
    });
    await ask(path);
    const drained = host.drain(60_000);
    opening.resolve();
    await clock.advanceAsync(1);
    expect(opened[0]?.goodbyes).toBe(1);
    opened[0]?.accepted.onClosed();
    await drained;
  });

  it("[DRAIN-1] is over when what was being opened has failed", async () => {
    const opening = Promise.withResolvers<never>();
    const { host, ask, clock } = startRig({ open: () => opening.promise });
    await ask();
    const drained = host.drain(60_000);
    opening.reject(new VoiceError("internal_error", "a defect"));
    await drained;
    expect(clock.now()).toBeLessThan(60_000);
  });

  it("[DRAIN-1] closes what is left at the deadline", async () => {
    const { host, ask, opened, clock } = startRig();
    await ask();
    const drained = host.drain(6000);
    clock.advance(6000);
    await drained;
    expect(opened[0]?.closedWith).toBe("draining");
    expect(host.counts().browser).toBe(0);
  });

  it("[DRAIN-1] without time says goodbye and closes at once", async () => {
    const { host, ask, opened, clock } = startRig();
    await ask();
    const drained = host.drain(0);
    clock.advance(0);
    await drained;
    expect(opened[0]).toMatchObject({ goodbyes: 1, closedWith: "draining" });
  });

  it("[DRAIN-1] waits for what is being opened, and tells it goodbye like the others", async () => {
    const opening = Promise.withResolvers<void>();
    const opened: FakeConnection[] = [];
    const { host, ask, clock } = startRig({
      async open(accepted) {
        if (opened.length === 1) await opening.promise;
        const connection = new FakeConnection(accepted);
        opened.push(connection);
        return connection;
      },
    });
    await ask();
    await ask();
    let isDrained = false;
    const drained = host.drain(8000).then(() => (isDrained = true));
    await clock.advanceAsync(4000, 100);
    expect(isDrained).toBe(false);
    opening.resolve();
    await clock.advanceAsync(1);
    expect(opened.map(({ goodbyes }) => goodbyes)).toEqual([1, 1]);
    for (const { accepted } of opened) accepted.onClosed();
    await drained;
  });

  it("drains once, however often it is told to", () => {
    const { host } = startRig();
    expect(host.drain(1000)).toBe(host.drain(0));
  });
});
