/** People, and not synthesisers, heard by the recogniser as a session has it: a smoke of what `npm run bench:hearing -- --people DIR` measures. */
import { beforeAll, describe, expect, it } from "vitest";
import { matchIntents } from "@voice/local-voice/rule-model/match-intent";
import { catalogLanguage } from "@voice/local-voice/rules/catalog-language";
import { rulesOf } from "@voice/local-voice/rules/rule-set";
import type { Agent } from "@voice/shared/catalog/agent";
import { loadCatalog } from "@voice/shared/catalog/load-catalog";
import { builtInCatalogDir } from "@voice/shared/catalog/read-catalog";
import { demoTools } from "@voice/shared/demo/demo-parts";
import { phoneLine, quietLine } from "../bench/hearing/lines.ts";
import { createHearingListener } from "../bench/hearing/listener.ts";
import type { HearingListener } from "../bench/hearing/listener.ts";
import { ownCatalogDir } from "../bench/hearing/people/measure-people.ts";
import { holdMusic } from "../support/hold-music.ts";
import { peoplesRecording } from "../support/people.ts";
import type { PeoplesRecording } from "../support/people.ts";

let listener: HearingListener;
let barista: Agent;

beforeAll(async () => {
  // The engine's module wants to decide what becomes of this process when something is not caught.
  const handlers = process.listeners("uncaughtException");
  listener = await createHearingListener();
  for (const handler of process.listeners("uncaughtException"))
    if (!handlers.includes(handler)) process.removeListener("uncaughtException", handler);
  const { agents } = await loadCatalog(
    [builtInCatalogDir(), ownCatalogDir],
    { tools: demoTools, mcpServers: [] },
    { language: catalogLanguage },
  );
  const agent = agents.get("barista");
  if (agent === undefined) throw new Error("no agent is called barista");
  barista = agent;
});

function orderIn(text: string) {
  const [match] = text === "" ? [] : matchIntents(rulesOf(barista), text, Date.now());
  return match === undefined ? undefined : { intent: match.intent.name, ...match.slots };
}

describe("what people say", () => {
  const orders: readonly (readonly [PeoplesRecording, Readonly<Record<string, string>>])[] = [
    ["dark-roast-iced-coffee", { roast: "dark roast", drink: "iced coffee" }],
    ["light-roast-iced-mocha", { roast: "light roast", drink: "iced mocha", sugar: "some sugar" }],
  ];

  it.each(orders)("is an order to an agent with ten sentences as examples: %s", async (name, slots) => {
    const speech = await peoplesRecording(name);
    for (const line of [quietLine, phoneLine]) {
      const { text } = await listener.hear(line.carry(speech), barista, line);
      expect(orderIn(text)).toEqual({ intent: "order_drink", ...slots });
    }
  });

  it.each<PeoplesRecording>(["not-an-ill-disposed-young-man", "ten-of-clubs"])(
    "is no order where it is about something else: %s",
    async (name) => {
      const { text } = await listener.hear(quietLine.carry(await peoplesRecording(name)), barista);
      expect(orderIn(text)?.intent).not.toBe("order_drink");
    },
  );

  it.each(["band", "saxophone"])("is not in hold music: %s", async (name) => {
    const { text } = await listener.hear(holdMusic(name, 6), barista);
    expect(text).toBe("");
  });
});
