import { describe, expect, it } from "vitest";
import { VoiceError } from "@voice/shared/platform/errors";
import { emptyPool } from "@voice/provider-kit/ports/empty-pool";
import type { SpokenWord, SynthesisEvents, SynthesisRequest, Synthesiser } from "@voice/provider-kit/ports/synthesiser";
import { packOf } from "@voice/shared/languages/packs";
import { fallbackPhrases } from "../../session/output/fixed-phrases.ts";
import { Track } from "../../session/playout/track.ts";
import { Speaker } from "./speaker.ts";
import { prepareSpeech } from "./prepare-speech.ts";
import { SharedSynthesiser } from "./shared-synthesiser.ts";

interface Made {
  readonly request: SynthesisRequest;
  readonly events: SynthesisEvents;
  readonly signal: AbortSignal;
  finish(): void;
  fail(error: Error): void;
}

/** Speaks when the test says so. */
class ManualSynthesiser implements Synthesiser {
  readonly made: Made[] = [];

  synthesise(request: SynthesisRequest, events: SynthesisEvents, signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    this.made.push({ request, events, signal, finish: resolve, fail: reject });
    return promise;
  }
  pool() {
    return emptyPool;
  }
  async close(): Promise<void> {
    this.made.length = 0;
  }
}

const phrases = fallbackPhrases(packOf("en").sentences);
const voice = { name: "voice" };
const hello = { text: "Hello.", voice, language: "en-US", sampleRateHz: 16_000, isFixed: true };
const word: SpokenWord = { textOffset: 0, textLength: 5, startMs: 0, endMs: 300 };

function rig(maxKeptBytes = 1000) {
  const inner = new ManualSynthesiser();
  const synthesiser = new SharedSynthesiser(inner, maxKeptBytes);

  function ask(request: SynthesisRequest = hello) {
    const samples: number[] = [];
    const words: SpokenWord[] = [];
    const abort = new AbortController();
    const heard = synthesiser.synthesise(
      request,
      { onAudio: (chunk) => samples.push(...chunk), onWord: (spoken) => words.push(spoken) },
      abort.signal,
    );
    heard.catch(() => undefined);
    return { samples, words, abort, heard };
  }

  function madeAt(index: number): Made {
    const made = inner.made[index];
    if (made === undefined) throw new Error(`nothing was asked for the ${index + 1}. time`);
    return made;
  }

  async function makeKept(request: SynthesisRequest, samples: number): Promise<void> {
    const asked = ask(request);
    const made = madeAt(inner.made.length - 1);
    made.events.onAudio(new Int16Array(samples));
    made.finish();
    await asked.heard;
  }

  return { inner, synthesiser, ask, madeAt, makeKept };
}

describe("shared synthesiser", () => {
  it("[FAIL-7b] makes the words of forty callers at the same instant once, and gives all of them audio and word times", async () => {
    const { inner, ask, madeAt } = rig();
    const callers = Array.from({ length: 40 }, () => ask());
    expect(inner.made).toHaveLength(1);
    madeAt(0).events.onWord(word);
    madeAt(0).events.onAudio(Int16Array.of(1, 2, 3));
    madeAt(0).finish();
    await Promise.all(callers.map(({ heard }) => heard));
    for (const { samples, words } of callers) {
      expect(samples).toEqual([1, 2, 3]);
      expect(words).toEqual([word]);
    }
  });

  it("gives a late listener the audio so far at once, and then the rest", async () => {
    const { ask, madeAt } = rig();
    ask();
    madeAt(0).events.onAudio(Int16Array.of(1));
    const late = ask();
    expect(late.samples).toEqual([1]);
    madeAt(0).events.onAudio(Int16Array.of(2));
    madeAt(0).finish();
    await late.heard;
    expect(late.samples).toEqual([1, 2]);
  });

  it("gives each listener an array of its own", async () => {
    const { synthesiser, madeAt } = rig();
    const chunks: Int16Array[] = [];
    const events = { onAudio: (chunk: Int16Array) => chunks.push(chunk), onWord: () => undefined };
    const { signal } = new AbortController();
    const both = [synthesiser.synthesise(hello, events, signal), synthesiser.synthesise(hello, events, signal)];
    madeAt(0).events.onAudio(Int16Array.of(1));
    madeAt(0).finish();
    await Promise.all(both);
    chunks[0]?.fill(9);
    expect(chunks[1]).toEqual(Int16Array.of(1));
  });

  it("keeps fixed words, and makes anything else again", async () => {
    const { inner, ask, makeKept } = rig();
    const answer = { ...hello, text: "Your balance is ten dollars.", isFixed: false };
    await makeKept(hello, 3);
    await makeKept(answer, 3);
    const again = ask();
    await again.heard;
    expect(again.samples).toHaveLength(3);
    void ask(answer);
    expect(inner.made.map(({ request }) => request.text)).toEqual(["Hello.", answer.text, answer.text]);
  });

  it("tells voices, rates of speech, languages and sample rates apart", () => {
    const { inner, ask } = rig();
    ask();
    ask({ ...hello, voice: { name: "other" } });
    ask({ ...hello, voice: { name: "voice", rate: "+3%" } });
    ask({ ...hello, language: "en-GB" });
    ask({ ...hello, sampleRateHz: 24_000 });
    expect(inner.made).toHaveLength(5);
  });

  it("forgets the words that were not used for longest when there is no room", async () => {
    const { inner, ask, makeKept } = rig(400);
    const request = (text: string) => ({ ...hello, text });
    await makeKept(request("one"), 100);
    await makeKept(request("two"), 100);
    await ask(request("one")).heard;
    await makeKept(request("three"), 100);
    await ask(request("one")).heard;
    void ask(request("two"));
    expect(inner.made.map(({ request: { text } }) => text)).toEqual(["one", "two", "three", "two"]);
  });

  it("goes on for the others when one leaves, and gives nothing more to that one", async () => {
    const { ask, madeAt } = rig();
    const leaving = ask({ ...hello, isFixed: false });
    const staying = ask({ ...hello, isFixed: false });
    leaving.abort.abort(new Error("barge-in"));
    await expect(leaving.heard).rejects.toThrow("barge-in");
    madeAt(0).events.onAudio(Int16Array.of(1));
    madeAt(0).finish();
    await staying.heard;
    expect(leaving.samples).toEqual([]);
    expect(staying.samples).toEqual([1]);
  });

  it("aborts the synthesis when the last listener has left, and begins again for the next", async () => {
    const { inner, ask, madeAt } = rig();
    const only = ask({ ...hello, isFixed: false });
    only.abort.abort(new Error("barge-in"));
    await expect(only.heard).rejects.toThrow("barge-in");
    expect(madeAt(0).signal.aborted).toBe(true);
    ask({ ...hello, isFixed: false });
    expect(inner.made).toHaveLength(2);
  });

  it("finishes fixed words after the last listener has left, for the next caller", async () => {
    const { inner, ask, madeAt } = rig();
    const only = ask();
    only.abort.abort(new Error("the caller has gone"));
    expect(madeAt(0).signal.aborted).toBe(false);
    madeAt(0).events.onAudio(Int16Array.of(1));
    madeAt(0).finish();
    const next = ask();
    await next.heard;
    expect(next.samples).toEqual([1]);
    expect(inner.made).toHaveLength(1);
  });

  it("tells all who listen of a failure, keeps nothing, and tries again for the next", async () => {
    const { inner, ask, madeAt } = rig();
    const callers = [ask(), ask()];
    madeAt(0).fail(new VoiceError("speech_quota_exceeded", "busy"));
    for (const { heard } of callers) await expect(heard).rejects.toMatchObject({ code: "speech_quota_exceeded" });
    ask();
    expect(inner.made).toHaveLength(2);
  });

  it("keeps one conversation's fault from the others", async () => {
    const { synthesiser, ask, madeAt } = rig();
    const broken = synthesiser.synthesise(
      hello,
      {
        onAudio() {
          throw new Error("the socket is gone");
        },
        onWord: () => undefined,
      },
      new AbortController().signal,
    );
    const sound = ask();
    madeAt(0).events.onAudio(Int16Array.of(1));
    madeAt(0).finish();
    await expect(broken).rejects.toThrow("the socket is gone");
    await sound.heard;
    expect(sound.samples).toEqual([1]);
  });

  it("[FAIL-7a] says an apology that was prepared without asking the synthesiser, clause by clause", async () => {
    const { inner, synthesiser } = rig(1_000_000);
    const prepared = prepareSpeech(phrases, { voice, language: "en-US", sampleRateHz: 16_000 }, synthesiser);
    for (const { events, finish } of inner.made) {
      events.onAudio(new Int16Array(160));
      finish();
    }
    await prepared;
    const asked = inner.made.length;
    for (const phrase of phrases) {
      const track = new Track();
      const speaker = new Speaker(
        {
          synthesiser,
          language: "en-US",
          sampleRateHz: 16_000,
          isFixed: () => true,
          sink: track,
          onText: () => undefined,
          onProgress: () => undefined,
          onClause: () => undefined,
          onGuardrail: () => undefined,
        },
        { name: "agent", voice },
        new AbortController().signal,
      );
      speaker.say(phrase);
      await speaker.finish();
      expect(track.text).toBe(phrase);
    }
    expect(inner.made).toHaveLength(asked);
  });
});
