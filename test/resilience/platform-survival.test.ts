/**
 * A telephony platform's call whose host is killed while a tool with a lasting effect runs: real host processes, Redis, real
 * speech, SIGKILL. The platform opens a further session; rules: docs/telephony.md, HOOK, and TAKE in docs/calls.md.
 */
import { randomUUID } from "node:crypto";
import { fileURLToPath } from "node:url";
import { createLocalSynthesiser } from "@voice/local-voice/synthesiser/local-synthesiser";
import { PlatformCall } from "@voice/local/emulators/telephony/platform-call";
import { startLocalRealtimeService } from "@voice/local/realtime-service";
import { loadSettings } from "@voice/shared/config/load";
import { systemClock } from "@voice/shared/platform/clock";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { speakText } from "../../local/person/line-audio.ts";
import type { PhoneEvent } from "../../local/phone/phone-script.ts";
import { ScriptedPhone } from "../../local/phone/scripted-phone.ts";
import { catalogOf } from "../support/built-in-catalog.ts";
import { startClerkFleet } from "../support/clerk-fleet.ts";
import type { ClerkFleet } from "../support/clerk-fleet.ts";
import { isRedisAvailable } from "../support/installed-programs.ts";
import { eventsOf } from "../support/phone-rig.ts";
import { eventually } from "../support/wait.ts";

const clerks = fileURLToPath(new URL("../fixtures/survival-catalog", import.meta.url));
const organizationId = randomUUID();

describe.skipIf(!isRedisAvailable())("a telephony platform's call whose host is killed", () => {
  const parts = new AsyncDisposableStack();
  let rig: ClerkFleet;
  let speak: (text: string, sampleRateHz: number) => Promise<Int16Array>;

  beforeAll(async () => {
    const settings = loadSettings({
      CATALOG_DIR: clerks,
      AGENT_SCENARIO: "survival",
      MCP_SERVERS: "booking=http://127.0.0.1:1/",
    });
    const realtime = await startLocalRealtimeService([...(await catalogOf(settings)).agents.values()]);
    parts.defer(() => realtime.close());
    const voice = await createLocalSynthesiser();
    parts.defer(() => voice.close());
    speak = (text, sampleRateHz) => speakText(voice, { text, voice: "slt", sampleRateHz });
    rig = await startClerkFleet({ hosts: 2, packages: inject("packages"), environment: realtime.environment });
    parts.defer(() => rig.close());
  });

  afterAll(() => parts.disposeAsync());

  function call(text: string, continues: readonly string[], onEvent?: (event: PhoneEvent) => void) {
    const script = { actions: [{ kind: "say", text }], quietMs: 2500 } as const;
    const phone = new ScriptedPhone({ script, clock: systemClock, speakText: speak, onEvent });
    const platform = new PlatformCall({
      url: new URL(`ws://127.0.0.1:${rig.fleet.streams.port}/api/v1/telephony/stream`),
      from: "+12025550123",
      to: "+12025550100",
      phone,
      clock: systemClock,
      organizationId,
      continues,
    });
    return { phone, platform };
  }

  it("[HOOK-9e] [HOOK-16] [TAKE-4e] goes on in a further session, which knows of a booking that may have been made", async () => {
    const { fleet, office } = rig;
    const first = call("please book a table", [], ({ kind }) => {
      if (kind === "said") void office.holdNext().then(() => fleet.carrier().kill());
    });
    expect(await first.platform.ended).toMatchObject({ closeCode: 1006 });
    office.release();

    const { sessionId } = first.platform;
    const second = call("tell me a story", [sessionId]);
    expect(await second.platform.ended).toMatchObject({ outputVariables: { session_id: sessionId } });
    expect(second.platform.faults).toEqual([]);
    expect(eventsOf("heard", second.phone.events)).toHaveLength(2);

    await eventually(async () => {
      const session = await fleet.state.sessions.get(sessionId);
      return typeof session !== "string" && session.status === "ended";
    }, "the conversation is over");
    const history = await fleet.state.sessions.history(sessionId);
    expect(history.map(({ role, content }) => `${role}: ${content}`)).toEqual([
      "assistant: What can I do for you?",
      "user: please book a table",
      "assistant: ",
      expect.stringMatching(/^tool: .*outcome_unknown/),
      expect.stringMatching(/^assistant: (?:What can I do for you\?|Back again\.)$/), // it has not answered anything yet
      "user: tell me a story",
      expect.stringContaining("assistant: Once upon a time"),
    ]);
    expect(office.bookings).toBe(1);
  });
});
