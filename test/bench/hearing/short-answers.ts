/**
 * Answers of a word, and codes, said after a question. Each is said at many places: where a word begins within the frames and hops of
 * the recogniser, and how long the line was silent before, must not decide whether it is understood.
 */
import type { Catalog } from "@voice/shared/catalog/catalog";
import type { AwaitedAnswer } from "@voice/provider-kit/ports/recogniser";
import { whiteNoise } from "@voice/provider-kit/audio/white-noise";
import { hearingRateHz } from "./callers.ts";
import type { Caller } from "./callers.ts";
import type { HearingListener } from "./listener.ts";
import type { SentenceSet } from "./sentences.ts";

interface ShortAnswer {
  readonly agent: string;
  readonly text: string;
  /** Other words that mean the same. */
  readonly like?: readonly string[];
  readonly awaits?: AwaitedAnswer;
}

const fourDigits: AwaitedAnswer = { type: "digits", length: 4 };
const yes = ["yes", "yeah"];
/** A guess at one of them is believed after a question for it; other guesses are asked about. */
const isYesOrNo: ReadonlySet<string> = new Set([...yes, "no"]);

/** A set's words are in no other; a "yes" and a "no" are too few for that. */
const answers: Readonly<Record<SentenceSet, readonly ShortAnswer[]>> = {
  tuning: [
    { agent: "card-specialist", text: "credit" },
    { agent: "banking-concierge", text: "savings" },
    { agent: "policy-advisor", text: "auto" },
    { agent: "card-specialist", text: "my credit card" },
    { agent: "banking-concierge", text: "yes", like: yes },
    { agent: "banking-concierge", text: "yeah", like: yes },
    { agent: "banking-concierge", text: "no" },
    { agent: "banking-concierge", text: "tomorrow" },
    { agent: "banking-concierge", text: "seven two nine six", awaits: fourDigits },
    { agent: "banking-concierge", text: "nine zero five one", awaits: fourDigits },
  ],
  "held-out": [
    { agent: "card-specialist", text: "debit" },
    { agent: "banking-concierge", text: "checking" },
    { agent: "policy-advisor", text: "home" },
    { agent: "claims-intake", text: "car" },
    { agent: "card-specialist", text: "yes", like: yes },
    { agent: "card-specialist", text: "no" },
    { agent: "banking-concierge", text: "friday" },
    { agent: "banking-concierge", text: "checking please" },
    { agent: "banking-concierge", text: "four four one two", awaits: fourDigits },
    { agent: "banking-concierge", text: "eight three oh six", awaits: fourDigits },
  ],
};

/** Where the word begins in a frame of 20 ms; the recogniser's own hop is 10 ms. */
const offsetsMs = [0, 2.5, 5, 7.5, 10, 12.5, 15, 17.5];
/** The detector of speech looks at every fourth frame of a silent line. */
const silencesMs = [600, 620, 640, 660];
const trailMs = 600;
/** -75 dB: hardly any line is quieter, and none of the recogniser's filters takes it for a background. */
const lineNoise = 10;

interface Count {
  right: number;
  rejected: number;
  readonly wrong: string[];
}

export interface MeasuredAnswers {
  readonly catalog: Catalog;
  readonly listener: HearingListener;
  readonly callers: readonly Caller[];
  readonly set: SentenceSet;
  readonly show: boolean;
}

export async function measureShortAnswers({ catalog, listener, callers, set, show }: MeasuredAnswers): Promise<void> {
  const places = offsetsMs.length * silencesMs.length;
  console.log(`${set}: each answer at ${places} places: understood, rejected, wrong`);
  for (const caller of callers) {
    for (const answer of answers[set]) {
      const speech = await caller.speak(answer.text);
      const count: Count = { right: 0, rejected: 0, wrong: [] };
      for (const silenceMs of silencesMs) {
        const row = await Promise.all(offsetsMs.map((offsetMs) => judge(answer, lineAt(speech, silenceMs + offsetMs))));
        if (show) console.log(`  ${silenceMs} ms: ${row.map((heard) => heard.slice(0, 18).padEnd(18)).join(" ")}`);
        for (const heard of row) note(count, answer, heard);
      }
      const wrong = [...new Set(count.wrong)].map((text) => `"${text}"`).join(", ");
      const figures = [count.right, count.rejected, count.wrong.length]
        .map((figure) => `${figure}`.padStart(4))
        .join("");
      console.log(`${caller.name.padEnd(24)} ${answer.text.padEnd(20)} ${figures}  ${wrong}`);
    }
  }

  async function judge({ agent: name, awaits }: ShortAnswer, line: Int16Array): Promise<string> {
    const agent = catalog.agents.get(name);
    if (agent === undefined) throw new Error(`no agent is called ${name}`);
    const { text, guess = "" } = await listener.hear(line, agent, { awaits });
    return text === "" && isYesOrNo.has(guess) ? guess : text;
  }
}

function note(count: Count, { text, like = [text] }: ShortAnswer, heard: string): void {
  if (like.includes(heard)) count.right += 1;
  else if (heard === "") count.rejected += 1;
  else count.wrong.push(heard);
}

/** `silenceMs`: before the speech, to the sample. */
function lineAt(speech: Int16Array, silenceMs: number): Int16Array {
  const lead = Math.round((silenceMs * hearingRateHz) / 1000);
  const line = new Int16Array(lead + speech.length + (trailMs * hearingRateHz) / 1000);
  line.set(speech, lead);
  return line.map((sample, at) => sample + Math.round(lineNoise * whiteNoise(at)));
}
