import { describe, expect, it } from "vitest";
import { loadSettings, type Environment } from "../config/load.ts";
import { partsOf } from "../config/parts.ts";
import { demoCatalogDirs, demoTools } from "../demo/demo-parts.ts";
import { readKnowledge } from "../knowledge/read-knowledge.ts";
import { agentDefaults, unsetModels, unsetVoice } from "./agent-defaults.ts";
import { findAgent } from "./catalog.ts";
import { parseCatalog } from "./parse-catalog.ts";
import { readCatalogFiles } from "./read-catalog.ts";

const builtIn = await Promise.all(demoCatalogDirs.map(readCatalogFiles));
const knowledge = await readKnowledge(demoCatalogDirs);

function agentsWith(environment: Environment, own: Readonly<Record<string, string>> = {}) {
  const known = { tools: demoTools, mcpServers: [] };
  const folders = [...builtIn, new Map(Object.entries(own))];
  const catalog = parseCatalog(folders, known, { agentDefaults: defaultsOf(environment), knowledge });
  return { frontDesk: findAgent(catalog, "front-desk"), cards: findAgent(catalog, "card-specialist") };
}

function defaultsOf(environment: Environment) {
  const settings = loadSettings(environment);
  return agentDefaults(settings, partsOf(settings));
}

const otherVoice = { TTS_VOICE: "en-GB-SoniaNeural", TTS_STYLE: "calm", TTS_RATE: "-10%" };

describe("what the settings give every agent", () => {
  it("is a voice, a style and a rate, which an agent may replace one by one", () => {
    const { frontDesk, cards } = agentsWith(otherVoice);
    expect(frontDesk?.voice).toEqual({ name: "en-GB-SoniaNeural", style: "calm", rate: "-10%" });
    expect(cards?.voice).toEqual({ name: "en-US-AndrewMultilingualNeural", style: "calm", rate: "-10%" });
  });

  it("is the deployment of the language model and the realtime model", () => {
    const { frontDesk } = agentsWith({
      CLOUD_OPENAI_ENDPOINT: "https://o.example",
      CLOUD_OPENAI_DEPLOYMENT: "ours",
      CLOUD_VOICELIVE_ENDPOINT: "https://v.example",
      CLOUD_VOICELIVE_MODEL: "live",
    });
    expect(frontDesk?.model.cascade.deploymentId).toBe("ours");
    expect(frontDesk?.model.realtime.deploymentId).toBe("live");
  });

  it("is the model that a key of OpenAI brings", () => {
    const { frontDesk } = agentsWith({ OPENAI_API_KEY: "k" });
    expect(frontDesk?.model.cascade.deploymentId).toBe("gpt-6-luna");
  });

  it("gives way to the defaults of a catalog of one's own", () => {
    const { frontDesk } = agentsWith(otherVoice, { "agents/_defaults.yaml": "voice: { style: null, rate: +20% }" });
    expect(frontDesk?.voice).toEqual({ name: "en-GB-SoniaNeural", rate: "+20%" });
  });

  it("is the same without any setting as without a service", () => {
    expect(agentDefaults(unsetVoice, unsetModels)).toEqual(defaultsOf({}));
  });
});
