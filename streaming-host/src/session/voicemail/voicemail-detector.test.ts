import { packOf } from "@voice/shared/languages/packs";
import { describe, expect, it } from "vitest";
import { VoicemailDetector } from "./voicemail-detector.ts";
import type { VoicemailFinding } from "./voicemail-detector.ts";

const phrases = packOf("en");

type Part = readonly ["speech" | "silence", ms: number] | readonly ["beep"] | readonly ["words", string];

/** What the detector says of a call, with the time since the phone was picked up. */
function newsOf(...parts: readonly Part[]): (VoicemailFinding & { readonly atMs: number })[] {
  return newsOfDetector(new VoicemailDetector({ phrases, isFound: false }), parts);
}

function newsOfDetector(
  detector: VoicemailDetector,
  parts: readonly Part[],
): (VoicemailFinding & { readonly atMs: number })[] {
  const news: (VoicemailFinding & { readonly atMs: number })[] = [];
  let atMs = 0;
  const take = (found: readonly VoicemailFinding[]): void => {
    news.push(...found.map((item) => ({ ...item, atMs })));
  };
  for (const part of parts) {
    if (part[0] === "words") {
      take(detector.read(part[1], atMs));
      continue;
    }
    const [kind, ms = 20] = part;
    for (const endMs = atMs + ms; atMs < endMs;) {
      atMs += 20;
      const heard = { atMs, isSpeech: kind === "speech", beepEnded: kind === "beep" };
      take(detector.hear(heard));
    }
  }
  return news;
}

describe("answering machine detection", () => {
  it("[VM-1] is a machine when it talks at once and goes on talking", () => {
    const news = newsOf(["silence", 600], ["speech", 3000], ["silence", 500], ["speech", 3000]);
    expect(news).toMatchObject([{ type: "voicemail", evidence: "long-greeting" }]);
    expect(news[0]?.atMs).toBeLessThan(6000);
  });

  it("[VM-1] is a person when they say hello and wait, however long they talk afterwards", () => {
    const hello = newsOf(["silence", 500], ["speech", 900], ["silence", 6000], ["speech", 12_000], ["silence", 15_000]);
    expect(hello).toMatchObject([{ type: "person" }]);
    const busy = newsOf(["silence", 500], ["speech", 2500], ["silence", 1000], ["speech", 3000], ["silence", 30_000]);
    expect(busy).toMatchObject([{ type: "person" }]);
  });

  it("[VM-1] is a machine when it says so", () => {
    for (const text of [
      "please leave a message after the tone",
      "you have reached the voicemail of pat",
      "leave your name and number",
      "the mailbox is full",
      "record your message at the beep",
    ])
      expect(newsOf(["speech", 2000], ["words", text])).toMatchObject([{ type: "voicemail", evidence: "words" }]);
    for (const text of [
      "hello",
      "who is calling please",
      "i am in a meeting",
      "can you send me an email",
      "he is out would you like to leave a message",
    ])
      expect(newsOf(["speech", 2000], ["words", text])).toEqual([]);
  });

  it("[VM-1] is a machine when it beeps, without a word before", () => {
    expect(newsOf(["silence", 2000], ["beep"])).toMatchObject([{ type: "voicemail", evidence: "beep" }]);
  });

  it("[VM-5] is no machine when a telephone's assistant asks who calls, however long it talks", () => {
    for (const text of [
      "hi if you record your name and reason for calling",
      "hi the person you're calling is using a screening service from google",
      "go ahead and say your name and why you're calling",
    ])
      expect(newsOf(["speech", 2000], ["words", text], ["speech", 6000], ["silence", 500], ["beep"])).toEqual([]);
  });

  it("[VM-5] is a machine when the assistant refers the caller to a mailbox after all", () => {
    const news = newsOf(
      ["speech", 3000],
      ["words", "record your name and reason for calling"],
      ["silence", 20_000],
      ["words", "the person you are calling is not available please leave a message after the tone"],
      ["speech", 2000],
      ["beep"],
      ["silence", 1000],
    );
    expect(news).toMatchObject([{ type: "voicemail", evidence: "words" }, { type: "greeting-over" }]);
  });

  it("[VM-5] is a person when nothing follows for half a minute after the assistant's question", () => {
    const news = newsOf(["speech", 3000], ["words", "reason for calling"], ["silence", 31_000]);
    expect(news).toEqual([{ type: "person", atMs: 33_000 }]);
  });

  it("is decided once, and then nobody listens any more", () => {
    const detector = new VoicemailDetector({ phrases, isFound: false });
    for (let atMs = 20; atMs <= 30_000; atMs += 20) detector.hear({ atMs, isSpeech: false, beepEnded: false });
    expect(detector.isOver).toBe(true);
    expect(detector.read("leave a message", 31_000)).toEqual([]);
  });
});

describe("when a machine records", () => {
  const greeting: readonly Part[] = [["speech", 6000]];

  it("[VM-2] is right after the beep", () => {
    const news = newsOf(...greeting, ["silence", 700], ["beep"], ["silence", 1000]);
    expect(news).toMatchObject([{ type: "voicemail" }, { type: "greeting-over" }]);
    expect((news[1]?.atMs ?? 0) - 6720).toBeLessThanOrEqual(200);
  });

  it("[VM-2] is after a silence longer than greetings have, where it does not beep", () => {
    const news = newsOf(...greeting, ["silence", 1500], ["speech", 1500], ["silence", 2600]);
    expect(news).toMatchObject([{ type: "voicemail" }, { type: "greeting-over", atMs: 11_500 }]);
  });

  it("[VM-2] is again after a beep that comes late, and not after one at the end of the recording", () => {
    const late = newsOf(...greeting, ["silence", 4000], ["beep"], ["silence", 3000]);
    expect(late.map(({ type }) => type)).toEqual(["voicemail", "greeting-over", "greeting-over"]);
    const atTheEnd = newsOf(...greeting, ["silence", 20_000], ["beep"], ["silence", 3000]);
    expect(atTheEnd.map(({ type }) => type)).toEqual(["voicemail", "greeting-over"]);
  });

  it("[VM-2] is taken to have begun where a greeting never ends", () => {
    const news = newsOf(["speech", 60_000]);
    expect(news.map(({ type }) => type)).toEqual(["voicemail", "greeting-over"]);
  });
});

describe("a machine that another host has found", () => {
  it("[VM-4] records when nothing is heard of it, or once its greeting is over", () => {
    const silent = newsOfDetector(new VoicemailDetector({ phrases, isFound: true }), [["silence", 4000]]);
    expect(silent).toEqual([{ type: "greeting-over", atMs: 2500 }]);
    const speaking = newsOfDetector(new VoicemailDetector({ phrases, isFound: true }), [
      ["speech", 3000],
      ["beep"],
      ["silence", 3000],
    ]);
    expect(speaking).toMatchObject([{ type: "greeting-over" }]);
    expect(speaking[0]?.atMs).toBeLessThan(3400);
  });
});
