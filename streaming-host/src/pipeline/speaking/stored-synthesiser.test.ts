import { VoiceError } from "@voice/shared/platform/errors";
import { silentLogger } from "@voice/shared/platform/logger";
import type { Logger } from "@voice/shared/platform/logger";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import type { FileStore } from "@voice/shared/state/records/file-store";
import type { SpokenWord, SynthesisRequest } from "@voice/provider-kit/ports/synthesiser";
import { describe, expect, it } from "vitest";
import { FakeSynthesiser } from "../../testing/fake-synthesiser.ts";
import { wordsKey } from "./speech-key.ts";
import { RecordedLog } from "../../testing/recorded-log.ts";
import { StoredSynthesiser } from "./stored-synthesiser.ts";

const greeting: SynthesisRequest = {
  text: "Hello, how can I help?",
  voice: { name: "jenny" },
  language: "en-US",
  sampleRateHz: 16_000,
};

function scene() {
  const clock = new VirtualClock();
  const { spokenWords } = createMemoryState({ clock, logger: silentLogger });
  function host(files: FileStore = spokenWords, logger: Logger = silentLogger) {
    const vendor = new FakeSynthesiser(clock);
    const kept = new Set([wordsKey(greeting)]);
    const stored = new StoredSynthesiser({
      synthesiser: vendor,
      provider: "fake",
      files,
      kept,
      clock,
      logger,
    });
    async function hear(request: SynthesisRequest) {
      const samples: number[] = [];
      const words: SpokenWord[] = [];
      const events = {
        onAudio: (chunk: Int16Array) => void samples.push(...chunk),
        onWord: (word: SpokenWord) => void words.push(word),
      };
      const heard = stored.synthesise(request, events, new AbortController().signal);
      await clock.advanceAsync(200);
      await heard;
      return { samples, words };
    }
    return { hear, vendor };
  }
  return { clock, spokenWords, host };
}

describe("fixed words", () => {
  it("[FAIL-7c] are made by the first host, and heard from every other with the times of their words", async () => {
    const { host } = scene();
    const [first, second] = [host(), host()];
    const made = await first.hear(greeting);
    const read = await second.hear(greeting);
    expect(read).toEqual(made);
    expect(made.words).toHaveLength(5);
    expect([first, second].map(({ vendor }) => vendor.requests.length)).toEqual([1, 0]);
  });

  it("are shared through the store only if the catalog or the settings contain them", async () => {
    const { host, spokenWords } = scene();
    const names: string[] = [];
    const put: FileStore["put"] = (name, bytes, lifeSpanMs) => {
      names.push(name);
      return spokenWords.put(name, bytes, lifeSpanMs);
    };
    const { hear } = host({ get: (name) => spokenWords.get(name), put });
    await hear({ ...greeting, text: "Hello Pat, how can I help?", isFixed: true });
    await hear({ ...greeting, voice: { name: "guy" } });
    expect(names).toEqual([]);
    await hear(greeting);
    expect(names).toHaveLength(1);
  });

  it("sound otherwise at another rate, and after a day", async () => {
    const { host, clock } = scene();
    await host().hear(greeting);
    const later = host();
    await later.hear({ ...greeting, sampleRateHz: 24_000 });
    await clock.advanceAsync(25 * 60 * 60_000, 60 * 60_000);
    await later.hear(greeting);
    expect(later.vendor.requests).toHaveLength(2);
  });

  it.each<[string, FileStore["get"]]>([
    ["fails", () => Promise.reject(new VoiceError("cache_connection_failed", "away"))],
    ["hangs", () => new Promise(() => undefined)],
    ["has something else", async () => new Uint8Array([1, 2, 3, 4, 5, 6, 7])],
  ])("are made here where the store %s", async (_what, get) => {
    const { host } = scene();
    const { hear, vendor } = host({
      get,
      put: () => Promise.reject(new VoiceError("cache_connection_failed", "away")),
    });
    expect((await hear(greeting)).samples.length).toBeGreaterThan(0);
    expect(vendor.requests).toHaveLength(1);
  });

  it("log that the store is away once, and not for each of the words", async () => {
    const logger = new RecordedLog();
    const { host } = scene();
    const away = () => Promise.reject(new VoiceError("cache_connection_failed", "away"));
    const { hear } = host({ get: away, put: away }, logger);
    for (const sampleRateHz of [8000, 16_000, 24_000]) await hear({ ...greeting, sampleRateHz });
    expect(logger.lines.map(({ sentence }) => sentence)).toEqual([
      "spoken words could not be read",
      "spoken words could not be stored",
    ]);
  });
});
