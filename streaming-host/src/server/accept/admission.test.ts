import type { AuditedAction } from "@voice/shared/audit/audit-trail";
import { loadSettings } from "@voice/shared/config/load";
import { createLogger } from "@voice/shared/platform/logger";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import type { FindCall } from "../host/recalled-state.ts";
import { newCall } from "@voice/shared/state/ports/call-store.contract";
import { newMediaSession } from "@voice/shared/state/ports/small-stores.contract";
import { newSession } from "@voice/shared/state/ports/session-store.contract";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createHost } from "../../host/host.ts";
import { fakeRequest } from "../../testing/fake-upgrade.ts";
import { SocketAdmission } from "./admission.ts";
import type { StreamRoute } from "./stream-routes.ts";

function rig(environment: Readonly<Record<string, string>> = {}, findCall: FindCall = async () => undefined) {
  const clock = new VirtualClock();
  const state = createMemoryState({ clock });
  const records: AuditedAction[] = [];
  const lines: string[] = [];
  const host = createHost({
    id: "host-1",
    settings: loadSettings(environment),
    state,
    auditTrail: { record: (action) => void records.push(action), written: () => Promise.resolve() },
    clock,
    logger: createLogger({ level: "warn", name: "test", destination: { write: (line) => void lines.push(line) } }),
  });
  const admission = new SocketAdmission(host, {
    findCall,
    callControl: undefined,
    hasRealtimeModel: false,
    checkNames: async () => undefined,
    verifier: { verify: () => Promise.reject(new Error("no token is expected here")) },
    hasState: async () => true,
  });
  return { admission, state, records, lines, clock };
}

const withAuthentication = {
  ENABLE_AUTH_VALIDATION: "true",
  BACKEND_AUTH_CLIENT_ID: "6f9619ff-8b86-4011-b42d-00c04fc964f5",
  CLOUD_TENANT_ID: "6f9619ff-8b86-4011-b42d-00c04fc964f6",
  ALLOWED_CLIENT_IDS: "6f9619ff-8b86-4011-b42d-00c04fc964f7",
};

describe("the audit trail of sockets", () => {
  it("[AUDIT-5] has who watches, listens in and converses, with the session and the address", async () => {
    const { admission, state, records } = rig(withAuthentication);
    await state.sessions.create({ ...newSession("s-1", 0), owner: "olga" });
    const grant = { subject: "olga", isOperator: true, sessionId: "s-1" };
    const ticketFor = async (type: "watch" | "listen" | "converse") => {
      const { subject, isOperator, sessionId } = grant;
      return (await state.tickets.create({ subject, isOperator, purpose: { type, sessionId } })).ticket;
    };
    const from = { "x-forwarded-for": "203.0.113.9" };
    const admit = async (route: StreamRoute) => admission.admit(fakeRequest("/", from), route);
    const query = async (type: "watch" | "listen" | "converse") => ({
      session_id: "s-1",
      ticket: await ticketFor(type),
    });
    await admit({ kind: "dashboard", query: await query("watch") });
    await admit({ kind: "listen", query: await query("listen") });
    await admit({ kind: "browser", query: { ...(await query("converse")), streaming_mode: "REALTIME" } });
    const done = { subject: "olga", what: { session_id: "s-1" }, outcome: "done", from: "203.0.113.9" };
    expect(records).toMatchObject([
      { action: "watch", ...done },
      { action: "listen", ...done },
      { action: "converse", ...done },
    ]);
  });

  it("[AUDIT-5] has by name who has proved who they are and may not do this", async () => {
    const { admission, state, records } = rig(withAuthentication);
    await state.sessions.create({ ...newSession("s-1", 0), owner: "olga" });
    const purpose = { type: "listen", sessionId: "s-1" } as const;
    const { ticket } = await state.tickets.create({ subject: "mallory", isOperator: false, purpose });
    const refusal = await admission.admit(fakeRequest("/"), { kind: "listen", query: { session_id: "s-1", ticket } });
    expect(refusal).toMatchObject({ status: 403 });
    expect(records).toMatchObject([{ action: "listen", outcome: "refused", status: 403, subject: "mallory" }]);
  });

  it("[AUDIT-5] has who is refused, of whom the log says nothing", async () => {
    const { admission, records, lines } = rig(withAuthentication);
    const refusal = await admission.admit(fakeRequest("/"), { kind: "dashboard", query: { ticket: "guess" } });
    expect(refusal).toMatchObject({ status: 401 });
    expect(records).toMatchObject([{ action: "watch", outcome: "refused", status: 401, isRepeatable: true }]);
    expect(lines).toEqual([]);
  });

  it("logs a line without a stack for what is refused for another reason", async () => {
    const { admission, records, lines } = rig();
    const asked = { kind: "listen", query: { session_id: "s-2", ticket: undefined } } as const;
    expect(await admission.admit(fakeRequest("/", { host: "localhost:8080" }), asked)).toMatchObject({ status: 404 });
    expect(records).toEqual([]);
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { code: "not_found", reason: "There is no such conversation." },
    ]);
    expect(lines.join("")).not.toContain("stack");
  });

  it("[OPS-32] logs a problem once that many requests have, and again after five minutes", async () => {
    const { admission, clock, lines } = rig();
    const ask = (sessionId: string) => {
      const route = { kind: "listen", query: { session_id: sessionId, ticket: undefined } } as const;
      return admission.admit(fakeRequest("/", { host: "localhost:8080" }), route);
    };
    for (let repeated = 0; repeated < 100; repeated += 1) await ask(`s-${repeated}`);
    expect(lines).toHaveLength(1);
    clock.advance(300_000);
    await ask("s-1");
    expect(lines).toHaveLength(2);
  });
});

it("[ACCESS-32] a media session does not open for a call that turned out to be somebody else's", async () => {
  const { admission, state } = rig(withAuthentication, async () => {
    return { ...newCall("call-1", 0), version: 1, owner: "bob" };
  });
  const open = async (subject: string) => {
    const sessionId = `media-of-${subject}`;
    await state.mediaSessions.create({ ...newMediaSession(sessionId, 0), owner: subject });
    const purpose = { type: "converse", sessionId } as const;
    const { ticket } = await state.tickets.create({ subject, isOperator: false, purpose });
    return admission.admit(fakeRequest("/"), { kind: "media-session", query: { session_id: sessionId, ticket } });
  };
  expect(await open("mallory")).toMatchObject({ status: 403 });
  expect(await open("bob")).toMatchObject({ caller: { subject: "bob" } });
});

describe("a page of an origin that is not allowed", () => {
  const route: StreamRoute = { kind: "browser", query: { streaming_mode: "REALTIME" } };
  const from = (origin: string) => fakeRequest("/", { origin, host: "127.0.0.1:8080" });

  it("[CLIENT-2] is in the log once, with the setting that would allow it, however often it tries", async () => {
    const { admission, lines } = rig();
    for (const origin of ["https://shop.example", "https://shop.example", "https://other.example"])
      expect(await admission.admit(from(origin), route)).toMatchObject({ status: 403, closesFor: "foreignOrigin" });
    expect(lines.map((line) => z.object({ origin: z.string(), setting: z.string() }).parse(JSON.parse(line)))).toEqual([
      { origin: "https://shop.example", setting: "CORS_ALLOWED_ORIGINS" },
      { origin: "https://other.example", setting: "CORS_ALLOWED_ORIGINS" },
    ]);
  });

  it("[CLIENT-2] does not fill the log with a name of any length", async () => {
    const { admission, lines } = rig();
    await admission.admit(from(`https://${"x".repeat(5000)}.example`), route);
    expect(lines.join("").length).toBeLessThan(1000);
  });

  it("is let in where the setting lists it", async () => {
    const { admission, lines } = rig({ CORS_ALLOWED_ORIGINS: "https://shop.example" });
    expect(await admission.admit(from("https://shop.example"), route)).toMatchObject({ route });
    expect(lines).toEqual([]);
  });
});
