/** What Redis still has of a phone call's people once it is deleted, however the call ended. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { phoneNumbers } from "../../local/phone/phone-book.ts";
import { readKeys } from "../release/stored-keys.ts";
import { isRedisAvailable } from "../support/installed-programs.ts";
import { startPhoneRig, type PhoneRig } from "../support/phone-rig.ts";
import { startRedisServer, type RedisServer } from "../support/redis-server.ts";
import { eventually } from "../support/wait.ts";

/** What the client knows of the person, and what the person says. */
const name = "Quince Quillfeather";
const words = "i want to check my balance";

let redis: RedisServer;
let rig: PhoneRig;
let admin: ReturnType<RedisServer["admin"]>;

beforeAll(async () => {
  if (!isRedisAvailable()) return;
  redis = await startRedisServer();
  admin = redis.admin();
  rig = await startPhoneRig(
    // Late and repeated callbacks, which come when the call is deleted already.
    { deliveryFaults: { copies: 2, missed: [] } },
    {
      CACHE_HOST: "127.0.0.1",
      CACHE_PORT: String(redis.port),
      COMM_CALL_TIMEOUT: "5",
      COMM_DESTINATIONS: `colleague=${phoneNumbers.colleague}`,
      RECORDING_ENABLED: "false",
    },
  );
});

afterAll(async () => {
  if (!isRedisAvailable()) return;
  await rig.close();
  await redis.stop();
});

/** The keys in which one of these is found. */
async function keysWith(...markers: readonly string[]): Promise<string[]> {
  const keys = await readKeys(admin);
  return keys.filter((key) => markers.some((marker) => JSON.stringify(key).includes(marker))).map(({ key }) => key);
}

async function send(method: "POST" | "DELETE", path: string, body?: unknown): Promise<number> {
  const { status } = await fetch(`${rig.network.environment["BASE_URL"] ?? ""}/api/v1${path}`, {
    method,
    headers: { "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return status;
}

interface Ending {
  readonly how: string;
  readonly number: string;
  /** Whether somebody picks up and speaks. */
  readonly isAnswered: boolean;
  /** Ends it; absent where it ends by itself. */
  readonly end?: (call: { readonly callId: string; readonly sessionId: string }) => Promise<unknown>;
}

const endings: readonly Ending[] = [
  { how: "the phone hangs up", number: "+12025550171", isAnswered: true, end: ({ callId }) => rig.hangUp(callId) },
  {
    how: "the client ends it",
    number: "+12025550172",
    isAnswered: true,
    end: ({ callId }) => rig.post("/calls/terminate", { call_id: callId }),
  },
  {
    how: "an operator ends it",
    number: "+12025550173",
    isAnswered: true,
    end: ({ sessionId }) => rig.post(`/sessions/${sessionId}/end`, {}),
  },
  {
    how: "it is transferred",
    number: "+12025550174",
    isAnswered: true,
    end: ({ sessionId }) => rig.post(`/sessions/${sessionId}/transfer`, { destination: "colleague" }),
  },
  { how: "it is deleted while it goes on", number: "+12025550175", isAnswered: true },
  { how: "nobody answers", number: phoneNumbers.noAnswer, isAnswered: false },
  { how: "the line is busy", number: phoneNumbers.busy, isAnswered: false },
];

it.skipIf(!isRedisAvailable()).each(endings)(
  "[ACCESS-26] [ACCESS-28] nothing of the people of a call is left once it is deleted: $how",
  async ({ how, number, isAnswered, end }) => {
    const isLive = how.startsWith("it is deleted");
    const phone = isAnswered
      ? rig.network.expectCall({ actions: [{ kind: "say", text: words }], staysOnTheLine: true })
      : undefined;
    const callId = await rig.initiate({ target_number: number, context: { caller_name: name } });
    const { sessionId } = await rig.call(callId);
    if (phone !== undefined)
      await eventually(async () => (await rig.spoken(callId)).includes(`user: ${words}`), "the person was understood");
    expect(await keysWith(name)).not.toEqual([]);
    await end?.({ callId, sessionId });
    if (!isLive) {
      await eventually(async () => {
        const { status } = await rig.call(callId);
        return status === "disconnected" || status === "failed";
      }, "the call is over");
      if (phone !== undefined) await rig.spokenInAll(callId);
    }
    const path = phone === undefined ? `/calls/${callId}` : `/sessions/${sessionId}`;
    expect(await send("DELETE", path)).toBe(200);
    await phone?.finished;
    let left: readonly string[] = [];
    await eventually(
      async () => (left = await keysWith(name, number, number.slice(1), words)).length === 0,
      () => `nothing is left, but there is something in ${left.join(", ")}`,
      20_000,
    );
  },
);
