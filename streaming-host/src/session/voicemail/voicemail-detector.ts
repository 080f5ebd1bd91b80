/**
 * Did a person pick up, or a machine? Pure: what is heard goes in, 20 ms at a time, and what is recognised; out comes what
 * it means. A person says "hello" and waits. A machine talks at once and goes on, says what machines say, and beeps.
 */

export const voicemailEvidence = ["long-greeting", "words", "beep"] as const;
export type VoicemailEvidence = (typeof voicemailEvidence)[number];

/** How a language's machines give themselves away. */
export interface MachinePhrases {
  readonly machineWords: RegExp;
  readonly screeningWords: RegExp;
}

export type VoicemailFinding =
  | { readonly type: "voicemail"; readonly evidence: VoicemailEvidence }
  /** It records now, as far as one can tell. Comes again when the beep comes later than its silence made one believe. */
  | { readonly type: "greeting-over" }
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
  /** VM-5: a telephone's assistant asks who calls, and a person may follow. */
  | { readonly kind: "screening"; readonly sinceMs: number }
  | { readonly kind: "greeting"; readonly sinceMs: number }
  | { readonly kind: "beeped"; readonly atMs: number }
  | { readonly kind: "recording"; readonly sinceMs: number; readonly hasBeeped: boolean }
  | { readonly kind: "decided" };

export class VoicemailDetector {
  readonly #phrases: MachinePhrases;
  readonly #judgesByLength: boolean;
  #state: State;
  /** The stretch of talk that goes on, short pauses included. */
  #talkSinceMs: number | undefined;
  #lastSpeechMs = 0;

  /** `isFound`: a machine has the call; whether it still speaks is not known. `judgesByLength`: who talks for long is one. */
  constructor({
    phrases,
    isFound,
    judgesByLength = true,
  }: {
    readonly phrases: MachinePhrases;
    readonly isFound: boolean;
    readonly judgesByLength?: boolean | undefined;
  }) {
    this.#phrases = phrases;
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
    if (this.#state.kind !== "undecided" && this.#state.kind !== "screening") return [];
    if (this.#phrases.machineWords.test(text)) return this.#voicemail("words", { kind: "greeting", sinceMs: atMs });
    if (this.#phrases.screeningWords.test(text)) this.#state = { kind: "screening", sinceMs: atMs };
    return [];
  }

  #decide(atMs: number, beepEnded: boolean): readonly VoicemailFinding[] {
    if (beepEnded) return this.#voicemail("beep", { kind: "beeped", atMs });
    const beganMs = this.#talkSinceMs;
    const beganAtOnce = beganMs !== undefined && beganMs <= greetingBeginsMs;
    if (this.#judgesByLength && beganAtOnce && this.talkMs >= longGreetingMs)
      return this.#voicemail("long-greeting", { kind: "greeting", sinceMs: atMs });
    return atMs < decisionMs ? [] : this.#isPerson();
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
