import { VoiceError } from "@voice/shared/platform/errors";
import { describe, expect, it } from "vitest";
import { Segment } from "./segment.ts";
import type { Transcriber } from "./transcriber.ts";

const frame = new Int16Array(320);

/** A segment whose requests the test answers itself. */
function begin() {
  const requests: {
    readonly frames: number;
    readonly signal: AbortSignal;
    readonly onText: (text: string) => void;
    readonly answer: (text: string) => void;
    readonly fail: (error: Error) => void;
  }[] = [];
  const transcriber: Transcriber = {
    transcribe: (samples, _heard, signal, onText) =>
      new Promise((resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason), { once: true });
        const answer = (text: string): void => resolve({ text, meanLogprob: undefined });
        requests.push({ frames: samples.length / frame.length, signal, onText, answer, fail: reject });
      }),
  };
  const partials: string[] = [];
  const refusals: VoiceError[] = [];
  const heard = { language: "en-US", candidateLanguages: [], hints: { phrases: [] } };
  const segment = new Segment({
    startMs: 0,
    frames: [],
    heard,
    transcriber,
    onPartial: ({ text }) => void partials.push(text),
    onRefused: (error) => void refusals.push(error),
  });
  let nowMs = 0;
  const hear = (frames: number, isSpeech: boolean): void => {
    for (let count = 0; count < frames; count++) segment.hear(frame, isSpeech, (nowMs += 20));
  };
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
  };
  return { segment, requests, partials, refusals, hear, settle };
}

describe("a segment", () => {
  it("is sent when its speaker pauses, and that answer is the last word when nothing more was said", async () => {
    const { segment, requests, partials, hear, settle } = begin();
    hear(30, true);
    hear(7, false);
    segment.pause();
    await settle();
    requests[0]?.answer("Check my balance.");
    await settle();
    expect(partials).toEqual(["Check my balance."]);
    hear(5, false);
    expect(await segment.finish()).toBe("Check my balance.");
    expect(requests).toHaveLength(1);
  });

  it("is sent again with what follows, and the older answer is not waited for", async () => {
    const { segment, requests, hear, settle } = begin();
    hear(20, true);
    segment.pause();
    await settle();
    hear(10, true);
    const text = segment.finish();
    await settle();
    expect(requests.map(({ frames, signal }) => [frames, signal.aborted])).toEqual([
      [20, true],
      [30, false],
    ]);
    requests[1]?.answer("I want to check");
    expect(await text).toBe("I want to check");
  });

  it("tells while it is spoken what an interruption is recognised by, once", async () => {
    const { requests, partials, hear, settle } = begin();
    hear(40, true);
    await settle();
    requests[0]?.onText("No, wait");
    expect(partials).toEqual(["No, wait"]);
    hear(80, true);
    await settle();
    expect(requests).toHaveLength(1);
  });

  it("keeps the words that come one by one to itself in a pause, where half a sentence would be taken for all of it", async () => {
    const { segment, requests, partials, hear, settle } = begin();
    hear(20, true);
    segment.pause();
    await settle();
    requests[0]?.onText("Check my");
    expect(partials).toEqual([]);
  });

  it("is not sent at all when it is as short as a knock", async () => {
    const { segment, requests, hear } = begin();
    hear(4, true);
    expect(await segment.finish()).toBe("");
    expect(requests).toEqual([]);
  });

  it("is sent once more when the answer in the pause failed, and says at once that it is refused for good", async () => {
    const { segment, requests, refusals, hear, settle } = begin();
    hear(20, true);
    segment.pause();
    await settle();
    requests[0]?.fail(new VoiceError("upstream_unavailable", "gone"));
    await settle();
    expect(refusals).toEqual([]);
    const text = segment.finish();
    await settle();
    requests[1]?.fail(new VoiceError("upstream_unavailable", "refused", { retryable: false }));
    await expect(text).rejects.toThrow("refused");
    expect(refusals).toHaveLength(1);
  });
});
