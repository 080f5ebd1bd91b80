/**
 * How long callers wait after a whole turn, and how often the agent would speak into half of one, by the words alone: turns that people
 * said to agents, and every beginning of them that nobody in the same file said as a whole turn.
 */
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { createEndOfTurnEstimator } from "@voice/provider-kit/end-of-turn/estimate-end-of-turn";
import { expectedAnswer } from "@voice/provider-kit/end-of-turn/expected-answer";
import { toWords } from "@voice/provider-kit/end-of-turn/to-words";
import type { EndOfTurnEstimate, Expected } from "@voice/provider-kit/ports/end-of-turn";
import { packOf } from "@voice/shared/languages/packs";
import { readToolArguments } from "../../local/command-line/tool-arguments.ts";
import { percentile } from "./percentiles.ts";

const { positionals } = readToolArguments({
  name: "node test/bench/turn-endings.ts",
  help: `How long callers wait after a whole turn, and how often the agent would speak into half of one, by the words alone.

  node test/bench/turn-endings.ts LANGUAGE FILE ...

  FILE   a turn of a caller in each line: what the agent said before (or nothing), a tab, and what the caller said;
         of a long file, 2,500 lines that are evenly spread`,
  allowPositionals: true,
});

const mostTurns = 2500;
const middleMs = 500;
const [language = "en", ...files] = positionals;
const pack = packOf(language);
const estimator = createEndOfTurnEstimator(pack);

/** What a recogniser writes: bare words; a full stop after whole turns; or one after whatever it has heard. */
const punctuations = ["none", "whole turns", "all"] as const;

function estimate(text: string, expected: Expected): EndOfTurnEstimate {
  const pauses = { count: 0, longestMs: 0 };
  return estimator.estimate({
    text,
    isFinal: true,
    sentence: undefined,
    expected,
    prosody: undefined,
    pauses,
    middleMs,
  });
}

function share(estimates: readonly EndOfTurnEstimate[], isCounted: (waitMs: number) => boolean): string {
  const counted = estimates.filter(({ waitMs }) => isCounted(waitMs)).length;
  return `${((100 * counted) / estimates.length).toFixed(1)} %`;
}

/** The probability that a whole turn is judged more probably complete than a half one: the area under the curve. */
function areaUnderCurve(whole: readonly EndOfTurnEstimate[], half: readonly EndOfTurnEstimate[]): number {
  const sorted = half.map(({ probability }) => probability).toSorted((a, b) => a - b);
  const below = (value: number, orEqual: boolean): number => {
    let [low, high] = [0, sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const at = sorted[middle] ?? 0;
      if (at < value || (orEqual && at === value)) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const sum = whole.reduce((total, { probability: p }) => total + (below(p, false) + below(p, true)) / 2, 0);
  return sum / (whole.length * half.length);
}

for (const file of files) {
  const lines = (await readFile(file, "utf8"))
    .split("\n")
    .filter((line) => line.includes("\t") && !line.startsWith("#"));
  const turns = lines.map((line) => {
    const [agent = "", caller = ""] = line.split("\t");
    return { expected: expectedAnswer(agent, pack), words: toWords(caller) };
  });
  const wholeTurns = new Set(turns.map(({ words }) => words.join(" ")));
  const every = Math.max(1, turns.length / mostTurns);
  const chosen = Array.from(
    { length: Math.min(turns.length, mostTurns) },
    (_, index) => turns[Math.floor(index * every)],
  );
  for (const punctuation of punctuations) {
    const whole: EndOfTurnEstimate[] = [];
    const half: EndOfTurnEstimate[] = [];
    const startedUs = process.cpuUsage().user;
    for (const { words, expected } of chosen.filter((turn) => turn !== undefined)) {
      whole.push(estimate(words.join(" ") + (punctuation === "none" ? "" : "."), expected));
      for (let count = 1; count < words.length; count++) {
        const text = words.slice(0, count).join(" ");
        if (!wholeTurns.has(text)) half.push(estimate(text + (punctuation === "all" ? "." : ""), expected));
      }
    }
    const perEstimateUs = (process.cpuUsage().user - startedUs) / (whole.length + half.length);
    const waits = whole.map(({ waitMs }) => waitMs);
    process.stdout.write(
      `${basename(file, ".tsv").padEnd(14)} full stop: ${punctuation.padEnd(12)}` +
        `whole > 500 ms ${share(whole, (ms) => ms > 500)}, > 1 s ${share(whole, (ms) => ms > 1000)}, p50 ${percentile(waits, 0.5)} ms; ` +
        `half <= 400 ms ${share(half, (ms) => ms <= 400)}, <= 600 ms ${share(half, (ms) => ms <= 600)}; ` +
        `AUC ${areaUnderCurve(whole, half).toFixed(3)} (${whole.length} / ${half.length}, ${perEstimateUs.toFixed(0)} µs each)\n`,
    );
  }
}
