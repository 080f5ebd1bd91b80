/**
 * Decides whether a person or a machine has answered. Pure: audio in pieces of 20 ms and transcripts go in, and findings come out. A person
 * says "hello" and waits. A mailbox talks at once and continues, uses typical phrases, and beeps. A receptionist and a telephone menu talk
 * for as long as a mailbox, so length is evidence only once the talk is over, and no phrase rules a machine out.
 */
import type { LanguagePack } from "@voice/shared/languages/language-pack";

export const voicemailEvidence = ["long-greeting", "words", "beep", "service"] as const;
export type VoicemailEvidence = (typeof voicemailEvidence)[number];

/** The phrases by which a language's machines are recognised, and those that no machine uses. */
export type MachinePhrases = Pick<
  LanguagePack,
  "machineWords" | "screeningWords" | "menuWords" | "notInServiceWords" | "questionWords"
>;

export type VoicemailFinding =
  /** Whoever answered talks for as long as mailboxes do. `voicemail` or `acquitted` follows soon. */
  | { readonly type: "suspected" }
  | { readonly type: "acquitted" }
  | { readonly type: "voicemail"; readonly evidence: VoicemailEvidence }
  /** As far as can be told, the machine is recording now. Reported again if the beep comes later than the silence suggested. */
  | { readonly type: "greeting-over" }
  /** A telephone menu, which expects keys. */
  | { readonly type: "menu" }
  /** The network announces that the number is not in service. */
  | { readonly type: "not_in_service" }
  /** No sign of a machine within the time in which machines show one. */
  | { readonly type: "person" };

/** A machine starts to talk at once. */
const greetingBeginsMs = 4000;
/**
 * People who answer stop within 2.5 s to hear who is calling, even if they have much to say; greetings take 6 s and more. This cannot be an
 * echo of our own voice, because that falls silent as soon as somebody speaks.
 */
const longGreetingMs = 5000;
/** A pause in a greeting, not yet the other side's turn. */
const pauseMs = 800;
/** A long greeting is over after this pause, by which time its words have also been recognised. */
const greetingOverMs = 1000;
/** Whoever talks for this long without a pause is not a receptionist. */
const longestTalkMs = 10_000;
/** Within this time a person who waits says something: "hello?", or an answer to what the agent said. */
const reactsWithinMs = 8000;
/** If nothing has shown a machine by then, or for this long after call screening, it counts as a person. */
const decisionMs = 30_000;
/** Pauses in greetings are shorter; a machine that is silent for longer is recording. */
const silenceMs = 2500;
/** Greetings may be long, but not that long. */
const longestGreetingMs = 45_000;
/** Keeps the beep itself out of the first words of the recording. */
const afterBeepMs = 200;
/** A beep later than this marks the end of the recording. */
const lateBeepMs = 8000;

export interface HeardFrame {
  /** Milliseconds of the call's audio since the call was answered. */
  readonly atMs: number;
  readonly isSpeech: boolean;
  readonly beepEnded: boolean;
}

type State =
  | { readonly kind: "undecided" }
  /** Whoever answered talks for as long as mailboxes do. `overAtMs`: when they stopped. */
  | { readonly kind: "suspected"; readonly sinceMs: number; readonly overAtMs: number | undefined }
  /** A menu may lead to a mailbox, which only its beep proves, because menus mention messages too. */
  | { readonly kind: "menu"; readonly sinceMs: number }
  /** VM-5: a telephone's assistant asks who is calling, and a person may follow. */
  | { readonly kind: "screening"; readonly sinceMs: number }
  | { readonly kind: "greeting"; readonly sinceMs: number }
  | { readonly kind: "beeped"; readonly atMs: number }
  | { readonly kind: "recording"; readonly sinceMs: number; readonly hasBeeped: boolean }
  | { readonly kind: "decided" };

export class VoicemailDetector {
  readonly #phrases: MachinePhrases;
  readonly #awaitsReaction: boolean;
  #judgesByLength: boolean;
  #state: State;
  /** When the current stretch of talk started, including short pauses. */
  #talkSinceMs: number | undefined;
  #lastSpeechMs = 0;

  /**
   * `isFound`: a machine has answered; whether it is still speaking is not known. `judgesByLength`: long talk may be evidence of a machine.
   * `awaitsReaction`: there is time to wait for a reaction after a long greeting, because the agent may speak meanwhile.
   */
  constructor({
    phrases,
    isFound,
    judgesByLength = true,
    awaitsReaction = false,
  }: {
    readonly phrases: MachinePhrases;
    readonly isFound: boolean;
    readonly judgesByLength?: boolean | undefined;
    readonly awaitsReaction?: boolean | undefined;
  }) {
    this.#phrases = phrases;
    this.#awaitsReaction = awaitsReaction;
    this.#judgesByLength = judgesByLength;
    this.#state = isFound ? { kind: "greeting", sinceMs: 0 } : { kind: "undecided" };
  }

  /** No further finding will come. */
  get isOver(): boolean {
    return this.#state.kind === "decided";
  }

  /** How long the other side has been talking, short pauses included. */
  get talkMs(): number {
    return this.#talkSinceMs === undefined ? 0 : this.#lastSpeechMs - this.#talkSinceMs;
  }

  /** The telephone service takes it for a machine. What we have heard of a person, a menu or an assistant outweighs that. */
  reported(atMs: number): readonly VoicemailFinding[] {
    const { kind } = this.#state;
    if (kind !== "undecided" && kind !== "suspected") return [];
    return this.#voicemail("service", { kind: "greeting", sinceMs: atMs });
  }

  hear({ atMs, isSpeech, beepEnded }: HeardFrame): readonly VoicemailFinding[] {
    if (isSpeech) {
      this.#talkSinceMs ??= atMs;
      this.#lastSpeechMs = atMs;
    } else if (atMs - this.#lastSpeechMs > pauseMs) this.#talkSinceMs = undefined;
    switch (this.#state.kind) {
      case "undecided":
        return this.#decide(atMs, beepEnded);
      case "suspected":
        return this.#judge(this.#state, atMs, isSpeech, beepEnded);
      case "menu":
        if (beepEnded) return this.#voicemail("beep", { kind: "beeped", atMs });
        if (atMs - this.#state.sinceMs >= decisionMs) this.#state = { kind: "decided" };
        return [];
      case "screening":
        return atMs - this.#state.sinceMs >= decisionMs ? this.#isPerson() : [];
      case "greeting":
        if (beepEnded) this.#state = { kind: "beeped", atMs };
        else if (atMs - this.#lastSpeechMs >= silenceMs || atMs - this.#state.sinceMs >= longestGreetingMs)
          return this.#record(atMs, false);
        return [];
      case "beeped":
        return atMs - this.#state.atMs >= afterBeepMs ? this.#record(atMs, true) : [];
      case "recording":
        if (this.#state.hasBeeped || atMs - this.#state.sinceMs > lateBeepMs) this.#state = { kind: "decided" };
        else if (beepEnded) this.#state = { kind: "beeped", atMs };
        return [];
      case "decided":
        return [];
    }
  }

  /** Includes partial transcripts, which arrive while the greeting is still spoken. */
  read(text: string, atMs: number): readonly VoicemailFinding[] {
    const { kind } = this.#state;
    if (kind !== "undecided" && kind !== "suspected" && kind !== "screening") return [];
    const { machineWords, screeningWords, menuWords, notInServiceWords, questionWords } = this.#phrases;
    if (notInServiceWords.test(text)) {
      this.#state = { kind: "decided" };
      return [{ type: "not_in_service" }];
    }
    if (menuWords.test(text)) return [...this.#acquit({ kind: "menu", sinceMs: atMs }), { type: "menu" }];
    if (machineWords.test(text)) return this.#voicemail("words", { kind: "greeting", sinceMs: atMs });
    if (screeningWords.test(text)) return this.#acquit({ kind: "screening", sinceMs: atMs });
    return /[?？]\s*$/u.test(text) || questionWords.test(text) ? this.#acquit() : [];
  }

  /** A party that asks a question waits for an answer. Words and a beep may still prove a machine, but length no longer does. */
  #acquit(state?: State): readonly VoicemailFinding[] {
    const { kind } = this.#state;
    this.#judgesByLength = false;
    this.#state = state ?? (kind === "suspected" ? { kind: "undecided" } : this.#state);
    return kind === "suspected" ? [{ type: "acquitted" }] : [];
  }

  #decide(atMs: number, beepEnded: boolean): readonly VoicemailFinding[] {
    if (beepEnded) return this.#voicemail("beep", { kind: "beeped", atMs });
    const beganMs = this.#talkSinceMs;
    const beganAtOnce = beganMs !== undefined && beganMs <= greetingBeginsMs;
    if (this.#judgesByLength && beganAtOnce && this.talkMs >= longGreetingMs) {
      this.#state = { kind: "suspected", sinceMs: beganMs, overAtMs: undefined };
      return [{ type: "suspected" }];
    }
    return atMs < decisionMs ? [] : this.#isPerson();
  }

  #judge(
    { sinceMs, overAtMs }: Extract<State, { readonly kind: "suspected" }>,
    atMs: number,
    isSpeech: boolean,
    beepEnded: boolean,
  ): readonly VoicemailFinding[] {
    const convicted = (): readonly VoicemailFinding[] =>
      this.#voicemail("long-greeting", { kind: "greeting", sinceMs: atMs });
    if (beepEnded) return this.#voicemail("beep", { kind: "beeped", atMs });
    if (overAtMs === undefined) {
      const isOver = atMs - this.#lastSpeechMs >= greetingOverMs;
      if (isOver) this.#state = { kind: "suspected", sinceMs, overAtMs: atMs };
      if (atMs - sinceMs >= longestGreetingMs) return convicted();
      return !this.#awaitsReaction && (isOver || atMs - sinceMs >= longestTalkMs) ? convicted() : [];
    }
    if (isSpeech) return this.#acquit();
    return atMs - overAtMs >= reactsWithinMs ? convicted() : [];
  }

  #isPerson(): readonly VoicemailFinding[] {
    this.#state = { kind: "decided" };
    return [{ type: "person" }];
  }

  #voicemail(evidence: VoicemailEvidence, state: State): readonly VoicemailFinding[] {
    this.#state = state;
    return [{ type: "voicemail", evidence }];
  }

  #record(sinceMs: number, hasBeeped: boolean): readonly VoicemailFinding[] {
    this.#state = { kind: "recording", sinceMs, hasBeeped };
    return [{ type: "greeting-over" }];
  }
}
