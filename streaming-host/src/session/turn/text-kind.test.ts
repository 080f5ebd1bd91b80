import { languagePacks, packOf } from "@voice/shared/languages/packs";
import { describe, expect, it } from "vitest";
import { TurnRig } from "../../testing/turn-rig.ts";
import { longestPhrase, toAnswerKey, turnLanguage } from "./text-kind.ts";

const cases = {
  en: {
    backchannels: ["Mhmm.", "Yeah, okay.", "Oh, I see.", "Okay, great.", "Uh-huh, yeah.", "Yes, yes.", "Makes sense."],
    interruptions: ["Okay, stop.", "Yeah, but", "No, no, no.", "What?", "Yeah, my card", "yes yes yes yes"],
    hesitations: ["Umm...", "uh, um, uh", "hm"],
    answers: ["Yes.", "No, thanks."],
    greetings: ["Hi!", "Hello?"],
  },
  de: {
    backchannels: ["Mhm.", "Genau!", "Ja, okay", "Ach so", "Alles klar.", "Okay, verstehe."],
    interruptions: ["Moment!", "Einen Moment, bitte.", "Stopp", "Nein.", "Warten Sie", "Wie bitte?", "meine Karte"],
    hesitations: ["Ähm", "äh...", "ähm, äh"],
    answers: ["Ja.", "Nein, danke.", "Ja, gerne"],
    greetings: ["Guten Tag!", "Hallo?"],
  },
  fr: {
    backchannels: ["Mhm", "Ouais.", "D'accord.", "D’accord", "Je vois", "Très bien !"],
    interruptions: ["Attendez !", "Un instant", "Non.", "Pardon ?", "ma carte"],
    hesitations: ["Euh...", "ben"],
    answers: ["Oui.", "Non merci.", "Bien sûr !"],
    greetings: ["Bonjour !", "Allô ?"],
  },
  es: {
    backchannels: ["Ajá", "Vale.", "Sí, sí.", "Ya veo", "Muy bien"],
    interruptions: ["¡Espere!", "Un momento, por favor", "No.", "¿Cómo?", "mi tarjeta"],
    hesitations: ["Eh...", "pues"],
    answers: ["Sí.", "No, gracias.", "¡Claro!"],
    greetings: ["¡Hola!", "Buenos días."],
  },
} as const;

describe.each(Object.entries(cases))("[LANG-3] the words of a caller in %s", (code, expected) => {
  const language = turnLanguage(packOf(code));

  it.each([...expected.backchannels])("%j lets the agent go on [BARGE-4]", (text) => {
    expect(language.interruptionKind(text)).toBe("backchannel");
  });

  it.each([...expected.interruptions])("%j interrupts [BARGE-4]", (text) => {
    expect(language.interruptionKind(text)).toBe("words");
  });

  it.each([...expected.hesitations])("%j is nothing to answer", (text) => {
    expect(language.isHesitation(text)).toBe(true);
  });

  // It would cut the agent's answer off, and nothing would answer it: the caller would hear silence.
  it.each([...expected.hesitations, ...packOf(code).turnPhrases.hesitations])(
    "%j does not interrupt [BARGE-3a]",
    (text) => {
      expect(language.interruptionKind(text)).toBe("backchannel");
    },
  );

  it.each([...expected.answers])("%j is an answer by itself [TURN-13c]", (text) => {
    expect(language.isAnswerAlone(text)).toBe(true);
  });

  it.each([...expected.greetings])("%j is a greeting [BARGE-13]", (text) => {
    expect(language.isGreeting(text)).toBe(true);
  });
});

describe("[LANG-2e] the words of a caller in a language without a pack", () => {
  it.each([
    ["ja-JP", "はい、はい。"],
    ["zh-CN", "嗯。"],
    ["ko-KR", "네, 알겠습니다"],
    ["pt-BR", "Sim, entendi."],
    ["hi-IN", "ठीक है"],
    ["id-ID", "Mhm."],
  ])("in %s let the agent go on where they are murmurs: %j", (code, text) => {
    expect(turnLanguage(packOf(code)).interruptionKind(text)).toBe("backchannel");
  });

  it.each([
    ["pt-BR", "Não"],
    ["pt-BR", "o meu cartão"],
    ["ja-JP", "ちょっと待ってください"],
    ["zh-CN", "等一下"],
  ])("in %s interrupt otherwise: %j", (code, text) => {
    expect(turnLanguage(packOf(code)).interruptionKind(text)).toBe("words");
  });

  it("are not taken for English hesitations", () => {
    expect(turnLanguage(packOf("pt-BR")).isHesitation("um")).toBe(false);
    expect(turnLanguage(packOf("pt-BR")).code).toBe("pt");
  });
});

it("distinguishes texts by their vowel signs", () => {
  expect(toAnswerKey("की")).not.toBe(toAnswerKey("का"));
});

describe("[LANG-3] the turn machine in German", () => {
  function interruptedBy(text: string): TurnRig {
    const rig = new TurnRig({ language: turnLanguage(packOf("de")) });
    rig.send({ type: "whole-turn", text: "Wie ist mein Kontostand?" });
    rig.audible();
    rig.wait(1000);
    rig.speak(300);
    rig.final(text);
    return rig;
  }

  it("goes on after a listener's murmur", () => {
    expect(interruptedBy("Genau.").state.agent.kind).toBe("speaking");
  });

  it("stops for a command that is as short", () => {
    expect(interruptedBy("Moment!").of("cancel-reply")).toHaveLength(1);
  });
});

it("treats two spellings of one answer as equal", () => {
  expect(toAnswerKey("D’accord.")).toBe(toAnswerKey("d'accord"));
});

it("leaves room for punctuation around the longest phrase of any language", () => {
  for (const { turnPhrases } of languagePacks)
    for (const phrase of Object.values(turnPhrases).flatMap((phrases) => [...phrases]))
      expect(phrase.length).toBeLessThan(longestPhrase / 2);
});

it("takes a long text for words without comparing it with phrases", () => {
  const language = turnLanguage(packOf("en"));
  const long = "tell me about my savings account, and then about the other one that I have opened last year";
  expect(language.interruptionKind(long)).toBe("words");
  expect(language.interruptionKind(".".repeat(2 * longestPhrase))).toBe("none");
  expect(language.isHesitation(long)).toBe(false);
  expect(language.isAnswerAlone(long)).toBe(false);
});
