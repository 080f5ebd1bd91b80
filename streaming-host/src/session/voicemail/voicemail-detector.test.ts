import { packOf } from "@voice/shared/languages/packs";
import { describe, expect, it } from "vitest";
import { VoicemailDetector } from "./voicemail-detector.ts";
import type { VoicemailFinding } from "./voicemail-detector.ts";

const phrases = packOf("en");

type Part = readonly ["speech" | "silence", ms: number] | readonly ["beep"] | readonly ["words", string];

/** What the detector says of a call in the end, with the time since the phone was picked up. */
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
    news.push(
      ...found.filter(({ type }) => type !== "suspected" && type !== "acquitted").map((item) => ({ ...item, atMs })),
    );
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

describe("[TWILIO-11] what the telephone service takes for a machine", () => {
  const reportedAfter = (...parts: readonly Part[]) => {
    const detector = new VoicemailDetector({ phrases, isFound: false });
    newsOfDetector(detector, parts);
    return detector.reported(2000);
  };

  it("is one, unless we have heard what it is", () => {
    expect(reportedAfter(["speech", 1000])).toEqual([{ type: "voicemail", evidence: "service" }]);
    expect(reportedAfter(["words", "please press one for sales or two for support"])).toEqual([]);
    expect(reportedAfter(["speech", 6000], ["words", "please leave a message after the tone"])).toEqual([]);
  });
});

describe("answering machine detection", () => {
  it("[VM-1d] is a machine when it talks at once and goes on talking", () => {
    const news = newsOf(["silence", 600], ["speech", 3000], ["silence", 500], ["speech", 3000], ["silence", 1500]);
    expect(news).toMatchObject([{ type: "voicemail", evidence: "long-greeting" }]);
    // Once it is known how the greeting ends, and before the machine is taken to record.
    expect(news[0]?.atMs).toBe(8100);
    expect(newsOf(["speech", 12_000])).toEqual([{ type: "voicemail", evidence: "long-greeting", atMs: 10_020 }]);
  });

  const receptionist: readonly Part[] = [
    ["silence", 500],
    ["speech", 3000],
    ["words", "good morning miller and sons dental practice"],
    ["speech", 2500],
  ];

  it.each([
    ["en", "You are speaking with Anna, how can I help you?"],
    ["en", "you are speaking with anna how can i help you"],
    ["en", "sales anna speaking who is calling please"],
    ["en", "this is Anna, are you calling about an appointment?"],
    ["de", "Zahnarztpraxis Müller, mein Name ist Anna, was kann ich für Sie tun"],
    ["es", "clínica dental Muñoz le atiende Ana en qué puedo ayudarle"],
    ["fr", "cabinet dentaire Martin Anna à l'appareil que puis-je faire pour vous"],
  ])("[VM-6] is a person when a long greeting asks something, in %s: %s", (language, asks) => {
    const detector = new VoicemailDetector({ phrases: packOf(language), isFound: false });
    expect(newsOfDetector(detector, [...receptionist, ["words", asks], ["silence", 9000]])).toEqual([]);
    const waiting = new VoicemailDetector({ phrases: packOf(language), isFound: false, awaitsReaction: true });
    expect(newsOfDetector(waiting, [...receptionist, ["words", asks], ["silence", 9000]])).toEqual([]);
  });

  it("[VM-6] is a person when they react after a long greeting, and a machine when they never do, where there is time to wait", () => {
    const detector = () => new VoicemailDetector({ phrases, isFound: false, awaitsReaction: true });
    const reacts = newsOfDetector(detector(), [
      ...receptionist,
      ["silence", 4000],
      ["speech", 600],
      ["silence", 24_000],
    ]);
    expect(reacts).toMatchObject([{ type: "person" }]);
    const silent = newsOfDetector(detector(), [...receptionist, ["silence", 10_000]]);
    expect(silent[0]).toMatchObject({ type: "voicemail", evidence: "long-greeting" });
    const beeps = newsOfDetector(detector(), [...receptionist, ["silence", 3000], ["beep"]]);
    expect(beeps).toMatchObject([{ type: "voicemail", evidence: "beep" }]);
    const says = newsOfDetector(detector(), [...receptionist, ["words", "please leave a message after the tone"]]);
    expect(says).toMatchObject([{ type: "voicemail", evidence: "words" }]);
  });

  it("[VM-6] says at once that somebody may be a machine, and once that they are not", () => {
    const detector = new VoicemailDetector({ phrases, isFound: false });
    const found: VoicemailFinding[] = [];
    for (let atMs = 20; atMs <= 5200; atMs += 20)
      found.push(...detector.hear({ atMs, isSpeech: true, beepEnded: false }));
    expect(found).toEqual([{ type: "suspected" }]);
    expect(detector.read("how can i help you", 5400)).toEqual([{ type: "acquitted" }]);
    expect(detector.read("who is calling", 5600)).toEqual([]);
  });

  it("[VM-6] is still a machine when it beeps after a question", () => {
    const asked: readonly Part[] = [...receptionist, ["words", "How are you?"], ["silence", 3000], ["beep"]];
    expect(newsOf(...asked)).toMatchObject([{ type: "voicemail", evidence: "beep" }]);
  });

  it.each([
    ["en", "thank you for calling for sales press one"],
    ["en", "to leave a message press 2"],
    ["en", "Please listen carefully as our menu options have changed."],
    ["de", "für den Vertrieb drücken Sie die 1"],
    ["de", "um eine Nachricht zu hinterlassen wählen Sie bitte die zwei"],
    ["es", "para ventas pulse el uno"],
    ["es", "para dejar un mensaje marque 3"],
    ["fr", "pour le service commercial tapez un"],
    ["fr", "pour laisser un message appuyez sur la touche 2"],
  ])("[VM-7] is a menu, and no mailbox, when it wants a key, in %s: %s", (language, text) => {
    const detector = new VoicemailDetector({ phrases: packOf(language), isFound: false });
    const parts: readonly Part[] = [
      ["speech", 6000],
      ["words", text],
      ["speech", 6000],
      ["silence", 31_000],
    ];
    expect(newsOfDetector(detector, parts)).toMatchObject([{ type: "menu" }]);
  });

  it("[VM-7] is a menu that has led to a mailbox when it beeps", () => {
    const news = newsOf(["speech", 4000], ["words", "for the doctor press two"], ["silence", 3000], ["beep"]);
    expect(news).toMatchObject([{ type: "menu" }, { type: "voicemail", evidence: "beep" }]);
  });

  it.each([
    ["en", "the number you have dialed is not in service please check the number and dial again"],
    ["en", "We're sorry. The number you have reached has been disconnected or is no longer in service."],
    ["en", "your call cannot be completed as dialed"],
    ["de", "kein Anschluss unter dieser Nummer"],
    ["de", "die gewählte Rufnummer ist nicht vergeben"],
    ["es", "el número que usted ha marcado no existe"],
    ["fr", "le numéro que vous avez composé n'est pas attribué"],
  ])("[VM-8] is nobody when the network says so, in %s: %s", (language, text) => {
    const detector = new VoicemailDetector({ phrases: packOf(language), isFound: false });
    const parts: readonly Part[] = [["speech", 4000], ["words", text], ["speech", 4000], ["silence", 31_000], ["beep"]];
    expect(newsOfDetector(detector, parts)).toEqual([{ type: "not_in_service", atMs: 4000 }]);
  });

  it.each([
    ["en", "my number is two zero two five five five"],
    ["en", "one moment please i will get her"],
    ["en", "can you press on with it"],
    ["de", "eine Nummer habe ich gerade nicht"],
    ["es", "un momento por favor"],
    ["fr", "un instant je vous prie"],
  ])("[VM-7] [VM-8] is neither for what people say, in %s: %s", (language, text) => {
    const detector = new VoicemailDetector({ phrases: packOf(language), isFound: false });
    expect(
      newsOfDetector(detector, [
        ["speech", 1500],
        ["words", text],
        ["silence", 2000],
      ]),
    ).toEqual([]);
  });

  it("[VM-1e] is a person when they say hello and wait, however long they talk afterwards", () => {
    const hello = newsOf(["silence", 500], ["speech", 900], ["silence", 6000], ["speech", 12_000], ["silence", 15_000]);
    expect(hello).toMatchObject([{ type: "person" }]);
    const busy = newsOf(["silence", 500], ["speech", 2500], ["silence", 1000], ["speech", 3000], ["silence", 30_000]);
    expect(busy).toMatchObject([{ type: "person" }]);
  });

  it("[VM-1b] is a machine when it says so", () => {
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

  it("[VM-1c] is a machine when it beeps, without a word before", () => {
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
