/** A conversation in German over emulated cloud services, handed to an English agent: what the services were asked for. */
import { parseCatalog } from "@voice/shared/catalog/parse-catalog";
import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import { dayIn } from "@voice/shared/platform/local-day";
import { silentLogger } from "@voice/shared/platform/logger";
import { demoTools } from "@voice/shared/demo/demo-parts";
import { createScriptedRecogniser } from "@voice/local/emulators/scripted-recogniser";
import { startOpenAiEmulator } from "@voice/local/emulators/openai/emulator";
import { startSpeechEmulator } from "@voice/local/emulators/speech/emulator";
import { createToneSynthesiser } from "@voice/local/emulators/tone-synthesiser";
import { expect, it } from "vitest";
import { connectCaller } from "../../local/caller/caller.ts";
import { noFillers } from "../support/no-fillers.ts";
import { testClock as clock } from "../support/test-clock.ts";
import { startTestHost } from "../support/test-host.ts";
import { eventually } from "../support/wait.ts";

const key = "emulated-key";
const defaults =
  "voice: {name: en-US-AvaMultilingualNeural}\nmodel: {cascade: {deployment_id: m}, realtime: {deployment_id: m}}\n";
const catalog = parseCatalog(
  [
    new Map([
      ["agents/_defaults.yaml", defaults],
      ["agents/empfang/agent.yaml", "description: Empfang.\ngreeting: Guten Tag.\nspeech: {language: de}"],
      ["agents/empfang/prompt.md", "Heute ist der {{ today }}."],
      [
        "agents/english-desk/agent.yaml",
        "description: For English.\ngreeting: Good morning.\nspeech: {language: en-GB}",
      ],
      ["agents/english-desk/prompt.md", "You are the English desk."],
      [
        "scenarios/hotel.yaml",
        "description: hotel\nagents: [empfang, english-desk]\nstart_agent: empfang\nhandoffs: [{from: empfang, to: english-desk}]",
      ],
    ]),
  ],
  { tools: demoTools, mcpServers: [] },
);

it("[LANG-4b] [LANG-5] [LANG-6] [LANG-10] hears and speaks German, and English after a handoff to somebody who speaks it", async () => {
  const beganMs = clock.wallNow();
  const recogniser = createScriptedRecogniser();
  const heardIn: string[] = [];
  const spoken: string[] = [];
  const tones = createToneSynthesiser();
  const openai = await startOpenAiEmulator({ key, clock });
  openai.script(
    {
      kind: "completion",
      toolCalls: [
        { name: "handoff_to_agent", argumentsJson: '{"target_agent":"english-desk","reason":"speaks English"}' },
      ],
    },
    { kind: "completion", text: "How can I help?" },
  );
  const speech = await startSpeechEmulator({
    key,
    clock,
    recogniser: {
      ...recogniser,
      open(options, events, signal) {
        heardIn.push(options.language);
        return recogniser.open(options, events, signal);
      },
    },
    synthesiser: {
      ...tones,
      synthesise(request, events, signal) {
        spoken.push(`${request.language} ${request.voice.name}: ${request.text}`);
        return tones.synthesise(request, events, signal);
      },
    },
  });
  const state = createMemoryState({ clock, logger: silentLogger });
  const host = await startTestHost({
    state,
    providers: "settings",
    clock,
    catalog,
    settings: {
      ...noFillers,
      CLOUD_OPENAI_ENDPOINT: openai.baseUrl,
      CLOUD_OPENAI_DEPLOYMENT: "emulated",
      CLOUD_OPENAI_KEY: key,
      CLOUD_SPEECH_ENDPOINT: speech.endpoint.replace(/^ws/, "http"),
      CLOUD_SPEECH_KEY: key,
      AGENT_SCENARIO: "hotel",
      COMM_VOICEMAIL_MESSAGE: "Hello.",
      MAX_STT_POOL_SIZE: "0",
      MAX_TTS_POOL_SIZE: "0",
    },
  });
  const url = host.url("/api/v1/browser/conversation?streaming_mode=REALTIME&time_zone=Pacific/Kiritimati");
  const caller = await connectCaller({ url: new URL(url), clock });
  try {
    await caller.waitForAgentAudio(20_000);
    await said("de-DE de-DE-SeraphinaMultilingualNeural: Guten Tag.");
    caller.type("Spricht bei Ihnen jemand Englisch?");
    await said("en-GB en-US-AvaMultilingualNeural: Good morning.");
    await said("en-GB en-US-AvaMultilingualNeural: How can I help?");
    await eventually(() => heardIn.includes("en-GB"), "the recogniser hears English");
  } finally {
    caller.close();
    await host.close();
    await Promise.all([speech.close(), openai.close(), state.close()]);
  }

  expect([...new Set(heardIn)]).toEqual(["de-DE", "en-GB"]);
  // FAIL-7: what is said when something fails is made ahead of time, in each agent's language and voice.
  expect(spoken).toContain("de-DE de-DE-SeraphinaMultilingualNeural: Auf Wiederhören.");
  expect(spoken).toContain("en-GB en-US-AvaMultilingualNeural: Goodbye.");
  expect(spoken.filter((line) => !/^(de-DE de-DE-|en-GB en-US-)/.test(line))).toEqual([]);
  const days = [beganMs, clock.wallNow()].map((wallMs) => `Heute ist der ${dayIn("Pacific/Kiritimati", wallMs)}.`);
  const [german, english] = openai.requests.map(({ body }) => body.messages[0]?.content);
  expect(days.some((day) => german?.includes(day))).toBe(true); // [LANG-6]
  expect(german).toContain("Speak German (Germany) with the caller");
  expect(english).not.toContain("## Language");

  async function said(line: string): Promise<void> {
    await eventually(
      () => spoken.includes(line),
      () => `the service is asked to say ${line}; it was asked for ${JSON.stringify(spoken)}`,
    );
  }
});
