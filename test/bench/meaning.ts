/**
 * What the rules make of sentences in other words than an agent's examples, by words alone and by words and meaning: the wishes of CLINC150
 * (Larson and others, 2019, CC BY 3.0), of which every domain is an agent.
 */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { AgentMeanings } from "@voice/local-voice/meaning/agent-meanings";
import { createSentenceEncoder } from "@voice/local-voice/meaning/sentence-encoder";
import { matchIntents, prepareMatches } from "@voice/local-voice/rule-model/match-intent";
import { nearestRequest } from "@voice/local-voice/rule-model/nearest-request";
import { noRules, type AgentRules } from "@voice/local-voice/rules/rules";
import { systemClock } from "@voice/shared/platform/clock";
import { silentLogger } from "@voice/shared/platform/logger";
import * as z from "zod";
import { readToolArguments } from "../../local/command-line/tool-arguments.ts";

const { positionals } = readToolArguments({
  name: "node test/bench/meaning.ts",
  help: `What the rules make of sentences in other words than an agent's examples.

  node test/bench/meaning.ts DIR

  DIR   a clone of https://github.com/clinc/oos-eval: ten agents of fifteen intents with ten examples each, eight other
        sentences for each intent, and for each agent 120 sentences that are for none of its intents`,
  allowPositionals: true,
});
const [folder = "."] = positionals;

const rows = z.array(z.tuple([z.string(), z.string()]));
const setsSchema = z.object({ train: rows, test: rows, oos_test: rows });
const read = async (name: string): Promise<unknown> =>
  JSON.parse(await readFile(path.join(folder, "data", name), "utf8"));
const sets = setsSchema.parse(await read("data_full.json"));
const domains = z.record(z.string(), z.array(z.string())).parse(await read("domains.json"));

const [examplesOfIntent, sentencesOfIntent, ofNoDomain, ofOtherDomains] = [10, 8, 40, 80];

/** So many of them, evenly spread. */
function spread<Item>(all: readonly Item[], count: number): readonly Item[] {
  return all.filter(
    (_one, at) => Math.floor((at * count) / all.length) !== Math.floor(((at - 1) * count) / all.length),
  );
}

function sentencesOf(from: readonly (readonly [string, string])[], intents: readonly string[]): readonly string[] {
  return from.flatMap(([sentence, intent]) => (intents.includes(intent) ? [sentence] : []));
}

interface Asked {
  readonly rules: AgentRules;
  readonly sentence: string;
  /** Undefined if it is for none of the agent's. */
  readonly intent: string | undefined;
}

const asked = Object.entries(domains).flatMap(([domain, intents]): readonly Asked[] => {
  const rules: AgentRules = {
    ...noRules,
    intents: intents.map((name) => ({
      name,
      examples: spread(sentencesOf(sets.train, [name]), examplesOfIntent),
      slots: [],
      action: { type: "say", say: name },
      after: {},
    })),
  };
  const own = intents.flatMap((intent) =>
    spread(sentencesOf(sets.test, [intent]), sentencesOfIntent).map((sentence) => ({ rules, sentence, intent })),
  );
  const elsewhere = Object.entries(domains).flatMap(([other, wishes]) => (other === domain ? [] : wishes));
  const foreign = [
    ...spread(sentencesOf(sets.oos_test, ["oos"]), ofNoDomain),
    ...spread(sentencesOf(sets.test, elsewhere), ofOtherDomains),
  ];
  return [...own, ...foreign.map((sentence) => ({ rules, sentence, intent: undefined }))];
});

const encoder = await createSentenceEncoder({ clock: systemClock, logger: silentLogger });
if (encoder === undefined) throw new Error("the encoder of sentences cannot run on this machine");
const now = Date.now();

/** As the product decides: a question has to be nearer than another sentence (EAR-33a). */
function askedAbout(rules: AgentRules, sentence: string, meanings: AgentMeanings | undefined): string | undefined {
  const agent = { name: "clinc", templateVars: {} };
  const handoff = (): undefined => undefined;
  const request = nearestRequest(sentence, { agent, rules, memory: {}, todayMs: now, meanings, handoff });
  return rules.intents.find(({ examples }) => request !== undefined && examples.includes(request))?.name;
}

async function measure(name: string, meanings: AgentMeanings | undefined): Promise<void> {
  const counts = { own: new Map<string, number>(), foreign: new Map<string, number>() };
  for (const { rules, sentence, intent } of asked) {
    await prepareMatches(rules, [sentence], now, meanings);
    const [act] = matchIntents(rules, sentence, now, meanings);
    const found = act?.intent.name ?? askedAbout(rules, sentence, meanings);
    const does = act === undefined ? "asked" : "acted";
    const outcome = found === undefined ? "nothing" : `${does} ${found === intent ? "rightly" : "wrongly"}`;
    const kind = intent === undefined ? counts.foreign : counts.own;
    kind.set(outcome, (kind.get(outcome) ?? 0) + 1);
  }
  for (const [kind, outcomes] of Object.entries(counts)) {
    const total = [...outcomes.values()].reduce((sum, count) => sum + count, 0);
    const shares = [...outcomes]
      .toSorted(([left], [right]) => left.localeCompare(right))
      .map(([outcome, count]) => `${outcome} ${((100 * count) / total).toFixed(1)} %`);
    console.log(`${name}, ${kind} (${total}): ${shares.join(", ")}`);
  }
}

await measure("words alone", undefined);
await measure("words and meaning", new AgentMeanings(encoder));
await encoder.close();
