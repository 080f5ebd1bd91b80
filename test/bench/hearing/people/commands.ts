/** Orders for coffee by people, and what becomes of them: carried out as they were said, otherwise, asked about, or nothing. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { matchIntents } from "@voice/local-voice/rule-model/match-intent";
import { rulesOf } from "@voice/local-voice/rules/rule-set";
import type { Agent } from "@voice/shared/catalog/agent";
import * as z from "zod";
import { hearingRateHz } from "../callers.ts";
import { quietLine } from "../lines.ts";
import type { Line } from "../lines.ts";
import type { Heard, HearingListener } from "../listener.ts";
import { formatFinalTimes } from "./final-times.ts";
import { readRecording } from "./recordings.ts";
import { commandSet } from "./sets.ts";
import { formatShare } from "./wilson.ts";

const labelsSchema = z.record(z.string(), z.object({ slots: z.record(z.string(), z.string()) }));

/** The benchmark's names of what somebody may order, and the catalog's. */
const slotNames: Readonly<Record<string, string>> = {
  coffeeDrink: "drink",
  roast: "roast",
  size: "size",
  numberOfShots: "shots",
  milkAmount: "milk",
  sugarAmount: "sugar",
};

export interface Command {
  readonly recording: string;
  readonly path: string;
  readonly slots: Readonly<Record<string, string>>;
}

export async function readCommands(people: string): Promise<readonly Command[]> {
  const folder = join(people, commandSet.folder, "data");
  const labels = labelsSchema.parse(JSON.parse(await readFile(join(folder, "label", "label.json"), "utf8")));
  const files = await readdir(join(folder, "speech", "clean"));
  return files.toSorted().flatMap((recording) => {
    const labelled = labels[recording];
    if (labelled === undefined) return [];
    const slots = Object.entries(labelled.slots).map(([name, value]) => [slotNames[name] ?? name, value.trim()]);
    return [{ recording, path: join(folder, "speech", "clean", recording), slots: Object.fromEntries(slots) }];
  });
}

/** A tenth of the set is enough to see that nothing comes of them. */
const foreignCommands = 62;

type Outcome = "right" | "wrong" | "asked" | "asked in vain" | "nothing";
const outcomes: readonly Outcome[] = ["right", "wrong", "asked", "asked in vain", "nothing"];

export interface MeasuredPeople {
  readonly people: string;
  readonly listener: HearingListener;
  readonly lines: readonly Line[];
  /** The part of the recordings that is measured, in the order of their names. */
  readonly part: readonly [start: number, end: number];
  readonly show: boolean;
}

/** `barista`: an agent with the intent `order_drink`. */
export async function measureCommands(measured: MeasuredPeople, barista: Agent): Promise<void> {
  const { people, listener, lines, part, show } = measured;
  const commands = (await readCommands(people)).slice(...part);
  console.log(
    `\nCommands (${commandSet.folder}, held out): the intent and every slot that was said, by ${barista.name}\n`,
  );
  console.log(
    "| line | right | carried out wrong | asked rightly | asked in vain | nothing | with a slot that was not said | ms until the final, half and 90 % | ms CPU per second |",
  );
  console.log("| --- | --- | --- | --- | --- | --- | --- | --- | --- |");
  for (const line of lines) {
    const counts = new Map(outcomes.map((outcome) => [outcome, 0]));
    const totals = { more: 0, cpuMs: 0, audioMs: 0 };
    const timesMs: number[] = [];
    for (const command of commands) {
      const audio = line.carry(await readRecording(command.path), command.recording);
      const heard = await listener.hear(audio, barista, line);
      const outcome = outcomeOf(barista, heard, command.slots);
      counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
      if (outcome === "right" && saysMore(barista, heard.text, command.slots)) totals.more += 1;
      timesMs.push(...(heard.finalAfterMs === undefined ? [] : [heard.finalAfterMs]));
      totals.cpuMs += heard.cpuMs;
      totals.audioMs += (audio.length / (line.sampleRateHz ?? hearingRateHz)) * 1000;
      if (show)
        console.log(
          `  ${line.name} ${(heard.finalAfterMs ?? 0).toFixed(0)} ms ${command.recording}: ${Object.values(command.slots).join(", ")} → "${heard.text}"${heard.guess === undefined ? "" : ` (guess: "${heard.guess}")`} ${outcome}, ${heard.turns} turns`,
        );
    }
    const share = (outcome: Outcome): string => formatShare(counts.get(outcome) ?? 0, commands.length);
    const perSecond = (totals.cpuMs / totals.audioMs) * 1000;
    const times = formatFinalTimes(timesMs);
    console.log(`| ${[line.name, ...outcomes.map(share), totals.more, times, perSecond.toFixed(1)].join(" | ")} |`);
  }
}

/** The same commands, said to an agent that sells no coffee: nothing should come of them. */
export async function measureForeign({ people, listener, part, show }: MeasuredPeople, agent: Agent): Promise<void> {
  const commands = (await readCommands(people)).slice(...part).slice(0, foreignCommands);
  const counts = { taken: 0, asked: 0 };
  for (const { path, recording } of commands) {
    const { text, guess } = await listener.hear(quietLine.carry(await readRecording(path)), agent);
    const found = intentIn(agent, text);
    if (found !== undefined) counts.taken += 1;
    else if (intentIn(agent, guess ?? "") !== undefined) counts.asked += 1;
    if (show && found !== undefined) console.log(`  ${recording}: "${text}" → ${found}`);
  }
  console.log(
    `\nThe same to ${agent.name}: taken for a wish of its own ${formatShare(counts.taken, commands.length)}, asked about ${formatShare(counts.asked, commands.length)}`,
  );
}

export function intentIn(agent: Agent, text: string): string | undefined {
  return text === "" ? undefined : matchIntents(rulesOf(agent), text, Date.now())[0]?.intent.name;
}

function outcomeOf(agent: Agent, { text, guess }: Heard, said: Command["slots"]): Outcome {
  const understood = orderIn(agent, text, said);
  if (understood !== "nothing" || guess === undefined) return understood;
  const guessed = orderIn(agent, guess, said);
  if (guessed === "nothing") return "nothing";
  return guessed === "wrong" ? "asked in vain" : "asked";
}

/** "asked": the order lacks what the agent asks for, and is otherwise as it was said. */
function orderIn(agent: Agent, text: string, said: Command["slots"]): Outcome {
  const match = text === "" ? undefined : matchIntents(rulesOf(agent), text, Date.now())[0];
  if (match === undefined) return "nothing";
  if (match.intent.name !== "order_drink") return "wrong";
  const wrong = Object.entries(said).filter(([name, value]) => match.slots[name] !== value);
  if (wrong.length === 0) return "right";
  const isRequested = (name: string): boolean =>
    match.intent.slots.some((slot) => slot.name === name && slot.ask !== undefined);
  return wrong.every(([name]) => match.slots[name] === undefined && isRequested(name)) ? "asked" : "wrong";
}

function saysMore(agent: Agent, text: string, said: Command["slots"]): boolean {
  const { slots = {} } = matchIntents(rulesOf(agent), text, Date.now())[0] ?? {};
  return Object.keys(slots).some((name) => said[name] === undefined);
}
