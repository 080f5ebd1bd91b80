import { describe, expect, it } from "vitest";
import type { Agent } from "@voice/shared/catalog/agent";
import type { Scenario } from "@voice/shared/catalog/scenario";
import { memoryOfLanguage } from "@voice/shared/conversation/spoken-language";
import { packOf } from "@voice/shared/languages/packs";
import type { NewCall } from "@voice/shared/state/ports/call-store";
import type { NewSession } from "@voice/shared/state/ports/session-store";
import { fakeAgent } from "../../testing/fake-catalog.ts";
import { startCallRig } from "../../testing/call-rig.ts";

const session: NewSession = {
  sessionId: "session-1",
  channel: "phone",
  streamingMode: "MEDIA",
  scenario: "hotline",
  activeAgent: "host",
  visitedAgents: [],
  status: "active",
  memory: {},
  createdAtMs: 0,
};

const german = fakeAgent("host", { speech: { language: "de-DE", candidateLanguages: [], phrases: [] } });

const hotline: Scenario = {
  name: "hotline",
  description: "",
  agents: ["host"],
  startAgent: "host",
  handoffs: [],
  templateVars: {},
};

/** What the caller hears when all lines are taken, and in which language it is synthesised. */
async function linesTaken(
  call: Partial<NewCall>,
  conversation?: Partial<NewSession>,
  { agent = fakeAgent("host"), scenarios = [] }: { agent?: Agent; scenarios?: readonly Scenario[] } = {},
) {
  const catalog = {
    agents: new Map([["host", agent]]),
    scenarios: new Map(scenarios.map((scenario) => [scenario.name, scenario])),
  };
  const rig = await startCallRig({ STT_LANGUAGE: "es-ES" }, catalog);
  await rig.create({ status: "connected", callConnectionId: "connection-1", ...call });
  if (conversation !== undefined) await rig.state.sessions.create({ ...session, ...conversation });
  await rig.publish("farewell:1", "call.farewell-requested", { call_id: "call-1", farewell: "full" });
  await rig.settle(2000);
  const played = rig.requests.find(({ operation }) => operation === "play");
  // What is said in the settings' language was made when the host began.
  return played === undefined ? undefined : [rig.said.at(-1), rig.languages.at(-1)];
}

const inLanguage = (language: string) => [packOf(language).sentences.linesTaken, language];

describe("what the communication service says in a call", () => {
  it("[LANG-4d] is in the call's own language, and in that of the settings where none is named", async () => {
    expect(await linesTaken({ language: "fr-FR" })).toEqual(inLanguage("fr-FR"));
    expect(await linesTaken({})).toEqual([undefined, undefined]);
  });

  it("[LANG-4c] is in the conversation's language once there is one", async () => {
    const memory = memoryOfLanguage("de-DE", {});
    expect(await linesTaken({ language: "fr-FR" }, { memory })).toEqual(inLanguage("de-DE"));
  });

  it("[LANG-4c] is in the language of the agent that has the floor", async () => {
    const memory = memoryOfLanguage("fr-FR", {});
    expect(await linesTaken({ language: "fr-FR" }, { memory }, { agent: german })).toEqual(inLanguage("de-DE"));
  });

  it("[LANG-4d] is in the language of the agent that would have the floor, before there is a conversation", async () => {
    expect(await linesTaken({ agent: "Host" }, undefined, { agent: german })).toEqual(inLanguage("de-DE"));
    expect(await linesTaken({ scenario: "Hotline" }, undefined, { agent: german, scenarios: [hotline] })).toEqual(
      inLanguage("de-DE"),
    );
  });

  it("[LANG-4d] is in the language of the call's scenario where the call names none", async () => {
    const scenarios = [{ ...hotline, language: "de-DE" }];
    expect(await linesTaken({ scenario: "hotline" }, undefined, { scenarios })).toEqual(inLanguage("de-DE"));
    expect(await linesTaken({ scenario: "hotline", language: "fr-FR" }, undefined, { scenarios })).toEqual(
      inLanguage("fr-FR"),
    );
  });

  it.each([
    ["silent", packOf("fr-FR").sentences.lineFault],
    ["too-long", packOf("fr-FR").sentences.closing[0]],
  ] as const)("[LANG-4c] says why a call ends that is %s", async (farewell, words) => {
    const rig = await startCallRig();
    await rig.create({ status: "connected", callConnectionId: "connection-1", language: "fr-FR" });
    await rig.publish("farewell:1", "call.farewell-requested", { call_id: "call-1", farewell });
    await rig.settle(2000);
    expect(rig.said).toEqual([words]);
    expect(rig.operations()).toEqual(["play", "hangUp"]);
  });

  it("is nothing in a call that is over", async () => {
    const rig = await startCallRig();
    await rig.create({ status: "disconnected", callConnectionId: "connection-1" });
    await rig.publish("farewell:1", "call.farewell-requested", { call_id: "call-1", farewell: "full" });
    await rig.settle(2000);
    expect(rig.operations()).toEqual([]);
  });
});
