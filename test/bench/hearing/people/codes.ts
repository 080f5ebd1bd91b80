/** Codes of four digits that the agent has asked for, put together from single digits that six people have said. */
import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { slotFromAnswer } from "@voice/local-voice/rule-model/slots";
import type { Slot } from "@voice/local-voice/rules/rules";
import { whiteNoise } from "@voice/provider-kit/audio/white-noise";
import type { AwaitedAnswer } from "@voice/provider-kit/ports/recogniser";
import type { Agent } from "@voice/shared/catalog/agent";
import { hearingRateHz } from "../callers.ts";
import { narrowLine } from "../lines.ts";
import { readCommands } from "./commands.ts";
import type { MeasuredPeople } from "./commands.ts";
import { numbersFrom, readRecording } from "./recordings.ts";
import type { PeopleSet } from "./sets.ts";
import { formatShare } from "./wilson.ts";

const codeLength = 4;
const fourDigits: AwaitedAnswer = { type: "digits", length: codeLength };
const slot: Slot = { name: "code", type: "digits", length: codeLength };
const codesPerPerson = 5;
const mostPersons = 12;
/** Of each person, in either set. */
const takesPerDigit = 50;
/** Between two digits, beside what silence the recordings have themselves. */
const gapsMs = [60, 120, 250];
const foreignCommands = 31;
/** -75 dB: hardly any line is quieter. */
const lineNoise = 10;

interface Code {
  readonly person: string;
  readonly digits: string;
  readonly paths: readonly string[];
}

/** Drawn by a seed, so that every run measures the same codes. Files are called `digit_person_take.wav`, in folders or not. */
async function drawCodes(folder: string): Promise<readonly Code[]> {
  const files = await readdir(folder, { recursive: true });
  const paths = new Map(files.map((file) => [basename(file), join(folder, file)]));
  const persons = new Set([...paths.keys()].flatMap((file) => /^\d_(\w+)_\d+\.wav$/.exec(file)?.[1] ?? []));
  return [...persons]
    .toSorted()
    .slice(0, mostPersons)
    .flatMap((person) => {
      const number = numbersFrom(`codes of ${person}`);
      return Array.from({ length: codesPerPerson }, () => {
        const digits = Array.from({ length: codeLength }, () => Math.floor(number() * 10));
        const takes = digits.map((digit) => `${digit}_${person}_${Math.floor(number() * takesPerDigit)}.wav`);
        return { person, digits: digits.join(""), paths: takes.flatMap((take) => paths.get(take) ?? []) };
      });
    });
}

type Outcome = "right" | "wrong digits" | "asked rightly" | "asked in vain" | "other words" | "nothing";
const outcomes: readonly Outcome[] = [
  "right",
  "wrong digits",
  "asked rightly",
  "asked in vain",
  "other words",
  "nothing",
];

export async function measureCodes(
  { people, listener, lines, show }: MeasuredPeople,
  set: PeopleSet,
  agent: Agent,
): Promise<void> {
  const codes = await drawCodes(join(people, set.folder));
  console.log(`\nCodes of four digits that ${agent.name} has asked for (${set.folder}, ${set.use})\n`);
  console.log(`| line, gap between digits | ${outcomes.join(" | ")} | by person |`);
  console.log(`| --- | ${outcomes.map(() => "---").join(" | ")} | --- |`);
  for (const line of lines) {
    for (const gapMs of gapsMs) {
      const counts = new Map(outcomes.map((outcome) => [outcome, 0]));
      const rightOf = new Map(codes.map(({ person }) => [person, 0]));
      for (const code of codes) {
        const speech = joined(await Promise.all(code.paths.map(readRecording)), gapMs);
        const heard = await listener.hear(line.carry(speech, code.digits), agent, { ...line, awaits: fourDigits });
        const outcome = outcomeOf(code.digits, heard);
        counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
        if (outcome === "right") rightOf.set(code.person, (rightOf.get(code.person) ?? 0) + 1);
        if (show && outcome !== "right")
          console.log(
            `  ${code.person} ${code.digits} → "${heard.text}"${heard.guess === undefined ? "" : ` (guess: "${heard.guess}")`} ${outcome}`,
          );
      }
      const share = (outcome: Outcome): string => formatShare(counts.get(outcome) ?? 0, codes.length);
      const persons = [...rightOf].map(([person, right]) => `${person} ${right}`).join(", ");
      console.log(`| ${line.name}, ${gapMs} ms | ${outcomes.map(share).join(" | ")} | ${persons} |`);
    }
  }
}

/** Somebody orders coffee where a code is awaited: no code should come of it. */
export async function measureOrders(
  { people, listener, show }: Pick<MeasuredPeople, "people" | "listener" | "show">,
  agent: Agent,
): Promise<void> {
  const commands = (await readCommands(people)).slice(0, foreignCommands);
  let codes = 0;
  for (const { path, recording } of commands) {
    const { text } = await listener.hear(narrowLine.carry(await readRecording(path)), agent, {
      ...narrowLine,
      awaits: fourDigits,
    });
    const digits = digitsIn(text);
    if (digits === undefined) continue;
    codes += 1;
    if (show) console.log(`  ${recording}: "${text}" → ${digits}`);
  }
  console.log(`\nOrders for coffee in place of a code, taken for one: ${formatShare(codes, commands.length)}`);
}

function outcomeOf(
  digits: string,
  { text, guess }: { readonly text: string; readonly guess: string | undefined },
): Outcome {
  if (text === "") {
    if (guess === undefined) return "nothing";
    return digitsIn(guess) === digits ? "asked rightly" : "asked in vain";
  }
  const found = digitsIn(text);
  if (found === undefined) return "other words";
  return found === digits ? "right" : "wrong digits";
}

function digitsIn(text: string): string | undefined {
  const value = slotFromAnswer(slot, text.split(" "), Date.now());
  return typeof value === "string" ? value : undefined;
}

function joined(digits: readonly Int16Array[], gapMs: number): Int16Array {
  const gap = Math.round((gapMs * hearingRateHz) / 1000);
  const speech = new Int16Array(digits.reduce((sum, { length }) => sum + length + gap, -gap));
  let at = 0;
  for (const digit of digits) {
    speech.set(digit, at);
    at += digit.length + gap;
  }
  return speech.map((sample, place) => sample + Math.round(lineNoise * whiteNoise(place)));
}
