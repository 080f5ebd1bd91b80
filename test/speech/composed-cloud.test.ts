/** A host composed from settings that point at the emulated cloud holds a conversation there, and says so. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { builtInCatalog } from "../support/built-in-catalog.ts";
import type { Emulators } from "@voice/local/emulators/start-emulators";
import { startEmulators } from "@voice/local/emulators/start-emulators";
import { systemClock } from "@voice/shared/platform/clock";
import { silentLogger } from "@voice/shared/platform/logger";
import type { HostHeartbeat } from "@voice/shared/state/ports/host-registry";
import type { State } from "@voice/shared/state/ports/state";
import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import { connectBrowser } from "../support/browser-client.ts";
import { bytesOf } from "../support/socket-client.ts";
import { noFillers } from "../support/no-fillers.ts";
import { decodedSpeech, spokenLine } from "../support/speech-engines.ts";
import { startTestHost } from "../support/test-host.ts";
import { eventually, sleep } from "../support/wait.ts";

const frameMs = 20;
const samplesPerFrame = 320;

let emulators: Emulators;
beforeAll(async () => {
  const catalog = await builtInCatalog();
  emulators = await startEmulators({ catalog, logger: silentLogger, localSpeech: decodedSpeech });
});
afterAll(() => emulators.close());

function pick(prefix: string): Record<string, string> {
  return Object.fromEntries(Object.entries(emulators.settings).filter(([name]) => name.startsWith(prefix)));
}

/** A heartbeat may be older than the last answers that it reports, so it is read again until it is right. */
async function providersNow({ hosts }: State): Promise<HostHeartbeat["providers"] | undefined> {
  return (await hosts.list()).at(0)?.providers;
}

it("thinks, speaks and would hear with the services that the settings name", async () => {
  const state = createMemoryState({ clock: systemClock });
  const environment = { ...noFillers, ...pick("CLOUD_OPENAI"), ...pick("CLOUD_SPEECH"), ...pick("CLOUD_VOICELIVE") };
  const host = await startTestHost({ state, settings: environment, providers: "settings" });
  const browser = await connectBrowser(host.url("/api/v1/browser/conversation?scenario=banking"));
  try {
    // cloud-conversation.test.ts speaks to it.
    expect(await browser.ask("I want to check my balance")).not.toBe("");
    expect(browser.of("audio").length).toBeGreaterThan(10);
    await expect
      .poll(() => providersNow(state))
      .toEqual({
        recogniser: { name: "azure", healthy: true, basis: "answered" },
        synthesiser: { name: "azure", healthy: true, basis: "answered" },
        languageModel: { name: "openai", healthy: true, basis: "answered" },
        realtimeModel: { name: "voice-live", healthy: true, basis: "reached" },
      });
  } finally {
    await browser.close();
    await host.close();
    await state.close();
  }
});

it("holds a conversation without Azure, with the models of a server of OpenAI's protocol", async () => {
  const state = createMemoryState({ clock: systemClock });
  const settings = { ...noFillers, ...emulators.openAiSettings };
  const host = await startTestHost({ state, settings, providers: "settings" });
  const browser = await connectBrowser(host.url("/api/v1/browser/conversation?scenario=banking"));
  try {
    expect(await browser.ask("I want to check my balance")).not.toBe("");
    const samples = await spokenLine({ text: "savings please", voice: "slt", sampleRateHz: 16_000 });
    const finals = () => browser.of("transcript").filter(({ is_final: isFinal }) => isFinal);
    const before = finals().length;
    for (let from = 0; from < samples.length; from += samplesPerFrame) {
      browser.send(bytesOf(samples.slice(from, from + samplesPerFrame)));
      await sleep(frameMs);
    }
    const silence = setInterval(() => browser.send(bytesOf(new Int16Array(samplesPerFrame))), frameMs);
    await eventually(() => finals().length > before, "the words of the caller");
    clearInterval(silence);
    expect(finals().at(-1)?.text).toMatch(/savings/);
    expect(emulators.openai.audio.map(({ kind }) => kind)).toEqual(expect.arrayContaining(["speech", "transcription"]));
    await expect
      .poll(() => providersNow(state))
      .toEqual({
        recogniser: { name: "openai", healthy: true, basis: "answered" },
        synthesiser: { name: "openai", healthy: true, basis: "answered" },
        languageModel: { name: "openai", healthy: true, basis: "answered" },
        realtimeModel: { name: "openai", healthy: true, basis: "reached" },
      });
  } finally {
    await browser.close();
    await host.close();
    await state.close();
  }
});
