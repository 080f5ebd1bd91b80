import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import type { Guardrail } from "@voice/shared/catalog/guardrail";
import { VoiceError } from "@voice/shared/platform/errors";
import { describe, expect, it } from "vitest";
import type { SynthesisEvents, SynthesisRequest, Synthesiser } from "@voice/provider-kit/ports/synthesiser";
import { Track } from "../../session/playout/track.ts";
import { emptyPool } from "@voice/provider-kit/ports/empty-pool";
import { FakeSynthesiser } from "../../testing/fake-synthesiser.ts";
import { Speaker } from "./speaker.ts";

const rateHz = 16_000;

/** Answers each request when the test says so, in any order. */
class ManualSynthesiser implements Synthesiser {
  readonly open: { request: SynthesisRequest; events: SynthesisEvents; finish: () => void }[] = [];

  synthesise(request: SynthesisRequest, events: SynthesisEvents): Promise<void> {
    return new Promise((resolve) => {
      this.open.push({ request, events, finish: resolve });
    });
  }
  pool() {
    return emptyPool;
  }
  async close(): Promise<void> {
    this.open.length = 0;
  }
}

function rig(synthesiser: Synthesiser, guardrails: readonly Guardrail[] = [], isUncertain = false) {
  const track = new Track();
  const abort = new AbortController();
  const clauses: string[] = [];
  const hits: string[] = [];
  const texts: string[] = [];
  const speaker = new Speaker(
    {
      synthesiser,
      language: "en-US",
      sampleRateHz: rateHz,
      isFixed: () => false,
      isUncertain,
      sink: track,
      onText: (text) => texts.push(text),
      onProgress: () => undefined,
      onClause: (text) => clauses.push(text),
      onGuardrail: ({ names }) => hits.push(...names),
    },
    { name: "agent", voice: { name: "voice" }, guardrails },
    abort.signal,
  );
  return { track, abort, speaker, clauses, hits, texts };
}

const one = "This is the first sentence that is said. ";
const two = "This is the second sentence that is said. ";

describe("speaker", () => {
  it("[PLAY-6] asks for the next clause while this one plays, and plays them in order whichever comes first", async () => {
    const synthesiser = new ManualSynthesiser();
    const { track, speaker, clauses } = rig(synthesiser);
    speaker.say(one + two);
    speaker.endSentence();
    const [first, second] = synthesiser.open;
    if (first === undefined || second === undefined) throw new Error("both clauses are asked for at once");
    second.events.onAudio(new Int16Array(10).fill(2));
    second.finish();
    await Promise.resolve();
    expect(track.length).toBe(0);
    first.events.onAudio(new Int16Array(10).fill(1));
    first.finish();
    await speaker.finish();
    const audio = new Int16Array(20);
    expect(track.read(0, audio)).toBe(20);
    expect([...audio]).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2]);
    expect(clauses).toEqual([one.trim(), two.trim()]);
  });

  it("[HIST-2] estimates where the words are when the synthesiser does not say", async () => {
    const synthesiser = new FakeSynthesiser(new VirtualClock());
    synthesiser.timesWords = false;
    const { track, speaker } = rig(synthesiser);
    speaker.say("one two three four");
    await speaker.finish();
    expect(track.textHeard(Math.ceil(track.length * 0.5))).toBe("one two");
  });

  it("[HIST-2] marks the words where the synthesiser says that they end, also those of a clause that had to wait", async () => {
    const synthesiser = new ManualSynthesiser();
    const { track, speaker } = rig(synthesiser);
    speaker.say(one + two);
    speaker.endSentence();
    const [first, second] = synthesiser.open;
    if (first === undefined || second === undefined) throw new Error("both clauses are asked for at once");
    second.events.onAudio(new Int16Array(rateHz));
    second.events.onWord({ textOffset: 0, textLength: 4, startMs: 0, endMs: 250 });
    second.finish();
    first.events.onAudio(new Int16Array(rateHz));
    first.events.onWord({ textOffset: 0, textLength: 4, startMs: 0, endMs: 500 });
    expect(track.textHeard(rateHz / 2 - 1)).toBe("");
    expect(track.textHeard(rateHz / 2)).toBe("This");
    first.finish();
    await speaker.finish();
    expect(track.textHeard(rateHz * 1.25 - 1)).toBe("This");
    expect(track.textHeard(rateHz * 1.25)).toBe(`${one}This`);
  });

  it("asks for the clause that plays and two after it, and for the next one when one is there", async () => {
    const synthesiser = new ManualSynthesiser();
    const { speaker } = rig(synthesiser);
    speaker.say(one + two + one + two);
    speaker.endSentence();
    expect(synthesiser.open).toHaveLength(3);
    synthesiser.open[0]?.finish();
    await new Promise(setImmediate);
    expect(synthesiser.open).toHaveLength(4);
  });

  it("[TURN-10] asks for the first clause alone while the answer may be discarded, and for more once it is wanted", () => {
    const synthesiser = new ManualSynthesiser();
    const { speaker } = rig(synthesiser, [], true);
    speaker.say(one + two);
    speaker.endSentence();
    expect(synthesiser.open).toHaveLength(1);
    speaker.release();
    expect(synthesiser.open).toHaveLength(2);
  });

  it("fails with the synthesiser's error, and asks it for nothing more", async () => {
    const asked: string[] = [];
    const synthesiser: Synthesiser = {
      async synthesise({ text }) {
        asked.push(text);
        throw new VoiceError("upstream_unavailable", "no voice");
      },
      pool: () => emptyPool,
      close: async () => undefined,
    };
    const { speaker } = rig(synthesiser);
    speaker.say(one);
    const finished = speaker.finish();
    await expect(finished).rejects.toMatchObject({ code: "upstream_unavailable" });
    speaker.say(two);
    speaker.endSentence();
    expect(asked).toEqual([one.trim()]);
  });

  it("[BARGE-5] ends when it is cancelled while somebody waits for its end", async () => {
    const { speaker, abort } = rig(new ManualSynthesiser());
    speaker.say(one);
    const finished = speaker.finish();
    abort.abort(new DOMException("cancelled", "AbortError"));
    await expect(finished).rejects.toThrow("cancelled");
  });

  it("[BARGE-5] takes no audio once it was cancelled", async () => {
    const synthesiser = new ManualSynthesiser();
    const { track, speaker, abort } = rig(synthesiser);
    speaker.say(one + two);
    abort.abort(new DOMException("cancelled", "AbortError"));
    for (const { events } of synthesiser.open) events.onAudio(new Int16Array(10));
    await expect(speaker.finish()).rejects.toThrow("cancelled");
    expect(track.length).toBe(0);
  });

  it("never shows withheld text to the synthesiser or to watchers", () => {
    const synthesiser = new ManualSynthesiser();
    const secret: Guardrail = {
      name: "card-number",
      pattern: /\d{4} \d{4}/g,
      action: { type: "replace", with: "the number" },
    };
    const { speaker, clauses, hits, texts } = rig(synthesiser, [secret]);
    for (const delta of ["Your card is 12", "34 56", "78, and it is blocked now. ", "Anything else?"])
      speaker.say(delta);
    speaker.endSentence();
    expect(texts.join("")).toBe("Your card is the number, and it is blocked now. Anything else?");
    expect(clauses.concat(synthesiser.open.map(({ request }) => request.text)).join(" ")).not.toContain("1234");
    expect(hits).toEqual(["card-number"]);
  });
});
