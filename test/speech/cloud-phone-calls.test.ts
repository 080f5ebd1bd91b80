/** A phone call, in each of the three modes, with every cloud adapter in the path. */
import { silentLogger } from "@voice/shared/platform/logger";
import { startEmulators } from "@voice/local/emulators/start-emulators";
import type { Emulators } from "@voice/local/emulators/start-emulators";
import { afterAll, beforeAll, expect, it } from "vitest";
import { builtInCatalog } from "../support/built-in-catalog.ts";
import { phoneNumbers } from "../../local/phone/phone-book.ts";
import { servicesSpeech } from "../support/speech-engines.ts";
import { testClock } from "../support/test-clock.ts";
import { eventually } from "../support/wait.ts";
import { eventsOf, startPhoneRig } from "../support/phone-rig.ts";
import type { PhoneRig } from "../support/phone-rig.ts";

let emulators: Emulators;
let rig: PhoneRig;

beforeAll(async () => {
  const catalog = await builtInCatalog();
  emulators = await startEmulators({
    catalog,
    logger: silentLogger,
    clock: testClock,
    localSpeech: servicesSpeech,
  });
  const services = ["CLOUD_SPEECH", "CLOUD_OPENAI", "CLOUD_VOICELIVE"];
  const environment = Object.fromEntries(
    Object.entries(emulators.settings).filter(([name]) => services.some((service) => name.startsWith(service))),
  );
  rig = await startPhoneRig({}, { ...environment, VAD_TIMEOUT_MS: "10000" });
});

afterAll(async () => {
  await rig.close();
  await emulators.close();
});

it.each(["MEDIA", "VOICE_LIVE"])("in %s greets, understands and answers", async (streamingMode) => {
  const phone = rig.network.expectCall({ actions: [{ kind: "say", text: "I want to check my balance" }] });
  const callId = await rig.initiate({ target_number: phoneNumbers.person, streaming_mode: streamingMode });
  await phone.finished;
  expect(eventsOf("heard", phone.events)).toHaveLength(2);
  await eventually(async () => (await rig.call(callId)).status === "disconnected", "the call is over");
  expect(await rig.spokenInAll(callId)).toEqual([
    expect.stringContaining("assistant: Hello, this is Harbor Bank"),
    "user: i want to check my balance",
    "assistant: Sure. Checking or savings?",
  ]);
});

it("in TRANSCRIPTION writes down what is said, and says nothing", async () => {
  const phone = rig.network.expectCall({
    actions: [{ kind: "say", text: "I want to check my balance" }],
    patienceMs: 3000, // an agent that spoke would begin in the first of them
  });
  const callId = await rig.initiate({ target_number: phoneNumbers.person, streaming_mode: "TRANSCRIPTION" });
  await phone.finished;
  await eventually(
    async () => (await rig.spoken(callId)).includes("user: i want to check my balance"),
    "the words are written down",
  );
  expect(eventsOf("heard", phone.events)).toEqual([]);
});
