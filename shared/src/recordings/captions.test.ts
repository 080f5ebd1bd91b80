import { describe, expect, it } from "vitest";
import { toWebVtt } from "./captions.ts";

const words = { agent: null, turn_id: "turn-1", interrupted: false };

describe("captions", () => {
  it("[REC-4] are WebVTT, whatever was said", () => {
    const captions = toWebVtt([
      { ...words, speaker: "caller", text: "5 < 6 --> & so\n\non", start_ms: 61_005, end_ms: 61_005 },
      { ...words, speaker: "agent", agent: "desk", text: "Yes.", start_ms: 3_723_004, end_ms: 3_724_000 },
    ]);
    expect(captions).toBe(
      [
        "WEBVTT\n",
        "00:01:01.005 --> 00:01:01.006\n<v caller>5 &lt; 6 --&gt; &amp; so on\n",
        "01:02:03.004 --> 01:02:04.000\n<v desk>Yes.\n",
      ].join("\n"),
    );
  });
});
