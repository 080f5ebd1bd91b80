/**
 * Did a person pick up, or a machine? Pure: what is heard goes in, 20 ms at a time, and what is recognised; out comes what
 * it means. A person says "hello" and waits. A mailbox talks at once and goes on, says what mailboxes say, and beeps. A receptionist
 * and a telephone menu talk for as long as a mailbox; so length alone convicts only when the talk is over, and nothing that was said
 * acquits.
 */
import type { LanguagePack } from "@voice/shared/languages/language-pack";

export const voicemailEvidence = ["long-greeting", "words", "beep"] as const;
export type VoicemailEvidence = (typeof voicemailEvidence)[number];

/** How a language's machines give themselves away, and what none of them asks. */
export type MachinePhrases = Pick<
  LanguagePack,
  "machineWords" | "screeningWords" | "menuWords" | "notInServiceWords" | "questionWords"
>;

export type VoicemailFinding =
  /** They talk for as long as mailboxes do, and what they are is known soon: `voicemail` follows, or `acquitted`. */
  | { readonly type: "suspected" }
  | { readonly type: "acquitted" }
  | { readonly type: "voicemail"; readonly evidence: VoicemailEvidence }
  /** It records now, as far as one can tell. Comes again when the beep comes later than its silence made one believe. */
  | { readonly type: "greeting-over" }
  /** A telephone menu, that wants keys. */
  | { readonly type: "menu" }
  /** The network says that the number leads to nobody. */
  | { readonly type: "not_in_service" }
  /** Nothing was found in the time in which machines give themselves away. */
  | { readonly type: "person" };

/** A machine begins to talk at once. */
const greetingBeginsMs = 4000;
/**
 * People who pick up stop within 2.5 s to hear who calls, also when they have much to say; greetings take 6 s and more.
 * It cannot be an echo of our own voice: that falls silent as soon as somebody speaks.
 */
const longGreetingMs = 5000;
/** A pause in a greeting, not yet the other side's turn. */
const pauseMs = 800;
/** A long greeting is over after this pause, by which its words are recognised, too. */
const greetingOverMs = 1000;
/** Who talks for so long without a pause is no receptionist. */
const longestTalkMs = 10_000;
/** By then somebody who waits has said something: "hello?", or an answer to what the agent said. */
const reactsWithinMs = 8000;
/** A machine that has not given itself away by then, or so long after it was screened, is a person, or as good as one. */
const decisionMs = 30_000;
/** Pauses in greetings are shorter; who waits longer is being recorded. */
const silenceMs = 2500;
/** Greetings may be long, but not that long. */
const longestGreetingMs = 45_000;
/** The beep itself must not be in the recording's first words. */
const afterBeepMs = 200;
/** A beep that comes later than this belongs to the end of the recording. */
const lateBeepMs = 8000;

export interface HeardFrame {
  /** Milliseconds of the call's sound since the phone was picked up. */
  readonly atMs: number;
  readonly isSpeech: boolean;
  readonly beepEnded: boolean;
}

type State =
  | { readonly kind: "undecided" }
  /** They talk for as long as mailboxes do. `overAtMs`: when they stopped. */
  | { readonly kind: "suspected"; readonly sinceMs: number; readonly overAtMs: number | undefined }
  /** A menu may lead to a mailbox, which only its beep proves: menus speak of messages, too. */
  | { readonly kind: "menu"; readonly sinceMs: number }
  /** VM-5: a telephone's assistant asks who calls, and a person may follow. */
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
  /** The stretch of talk that goes on, short pauses included. */
  #talkSinceMs: number | undefined;
  #lastSpeechMs = 0;

  /**
   * `isFound`: a machine has the call; whether it still speaks is not known. `judgesByLength`: who talks for long may be one.
   * `awaitsReaction`: there is time to wait whether they say something after a long greeting, because the agent may speak meanwhile.
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

  /** Nothing more will come. */
  get isOver(): boolean {
    return this.#state.kind === "decided";
  }

  /** How long the other side has been talking, short pauses included. */
  get talkMs(): number {
    return this.#talkSinceMs === undefined ? 0 : this.#lastSpeechMs - this.#talkSinceMs;
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

  /** Partial texts too: they come while the greeting is still spoken. */
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

  /** Who asks waits for an answer. Words and a beep may still prove a machine, and length does not any more. */
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
