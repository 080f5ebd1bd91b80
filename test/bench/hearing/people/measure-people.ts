/** The second half of the bench: recordings of people through the same pipeline as the synthesisers of the first. */
import { join } from "node:path";
import { catalogLanguage } from "@voice/local-voice/rules/catalog-language";
import { loadCatalog } from "@voice/shared/catalog/load-catalog";
import type { Agent } from "@voice/shared/catalog/agent";
import type { Catalog } from "@voice/shared/catalog/catalog";
import { builtInCatalogDir } from "@voice/shared/catalog/read-catalog";
import { demoTools } from "@voice/shared/demo/demo-parts";
import { babbleLine, narrowLine, noisyLine, phoneLine, quietLine } from "../lines.ts";
import type { Line } from "../lines.ts";
import type { HearingListener } from "../listener.ts";
import { measureCodes, measureOrders } from "./codes.ts";
import { measureCommands, measureForeign, readCommands } from "./commands.ts";
import { kitchenLines } from "./kitchen.ts";
import { measureReadSentences } from "./read-sentences.ts";
import { readRecording } from "./recordings.ts";
import { commandSet, describeSets, digitSet, hasSet, readSet, tuningDigitSet } from "./sets.ts";

export interface PeopleOptions {
  readonly people: string;
  readonly demo: Catalog;
  readonly listener: HearingListener;
  /** The folder of the catalog whose barista takes the orders. */
  readonly catalogDir: string;
  readonly measures: (name: string) => boolean;
  readonly isLineIncluded: (name: string) => boolean;
  readonly part: readonly [start: number, end: number];
  readonly show: boolean;
}

export const peopleMeasures = ["commands", "foreign", "codes", "sentences"] as const;
export const ownCatalogDir = join(import.meta.dirname, "catalog");

export async function measurePeople(options: PeopleOptions): Promise<void> {
  const { people, demo, listener, catalogDir, measures, isLineIncluded, part, show } = options;
  const has = {
    commands: await hasSet(people, commandSet),
    digits: await hasSet(people, digitSet),
    sentences: await hasSet(people, readSet),
  };
  if (!has.commands || !has.digits || !has.sentences)
    console.log(`Sets that are missing in ${people} are left out:\n\n${describeSets()}\n`);
  const measured = (lines: readonly Line[]) => ({
    people,
    listener,
    part,
    show,
    lines: lines.filter(({ name }) => isLineIncluded(name)),
  });
  if (has.commands && measures("commands")) {
    const catalog = await loadCatalog(
      [builtInCatalogDir(), catalogDir],
      { tools: demoTools, mcpServers: [] },
      { language: catalogLanguage },
    );
    const talkers = await recordingsOfTalkers(people);
    const lines = [
      quietLine,
      phoneLine,
      ...(await kitchenLines(people, [24, 12, 6])),
      ...[20, 12, 10].map(noisyLine),
      babbleLine(talkers, 12),
    ];
    await measureCommands(measured(lines), agentOf(catalog, "barista"));
  }
  if (has.commands && measures("foreign"))
    await measureForeign(measured([quietLine]), agentOf(demo, "card-specialist"));
  if (measures("codes")) {
    const codes = measured([narrowLine, phoneLine]);
    const agent = agentOf(demo, "card-specialist");
    for (const set of [digitSet, tuningDigitSet]) if (await hasSet(people, set)) await measureCodes(codes, set, agent);
    if (has.commands) await measureOrders(codes, agent);
  }
  const mostLines = [quietLine, phoneLine, noisyLine(20), noisyLine(10)];
  if (has.sentences && measures("sentences"))
    await measureReadSentences(measured(mostLines), agentOf(demo, "banking-concierge"));
}

function agentOf(catalog: Catalog, name: string): Agent {
  const agent = catalog.agents.get(name);
  if (agent === undefined) throw new Error(`no agent is called ${name}`);
  return agent;
}

/** The last of the set, which are seldom among the first that `--limit` takes. */
async function recordingsOfTalkers(people: string): Promise<readonly Int16Array[]> {
  const talkers = (await readCommands(people)).slice(-6);
  return Promise.all(talkers.map(({ path }) => readRecording(path)));
}
