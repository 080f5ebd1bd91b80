import { parseCatalog } from "@voice/shared/catalog/parse-catalog";
import { defaultProfile } from "@voice/demo/profiles/default-profile";
import { expect, it } from "vitest";
import { callersLanguage, callersStyle } from "./callers-language.ts";
import { judgeSession } from "./judge-session.ts";
import { callerMessages } from "./simulated-caller.ts";

function catalogOf(agent: string, scenario: string) {
  const files = {
    "agents/_defaults.yaml":
      "model: { cascade: { deployment_id: a }, realtime: { deployment_id: b } }\nvoice: { name: c }\n",
    "agents/desk/agent.yaml": `description: Desk.\n${agent}`,
    "agents/desk/prompt.md": "You are the desk.",
    "scenarios/bakery.yaml": `description: Bakery.\nagents: [desk]\nstart_agent: desk\n${scenario}`,
  };
  const tools = { tools: new Map(), mcpServers: [] };
  return parseCatalog([new Map(Object.entries(files))], tools);
}

it("[EVAL-10a] callers speak the language of the agent that answers, then the scenario's, then the setting's", () => {
  const settings = { sttLanguage: "es-ES" };
  const german = "speech: { language: de }\n";
  expect(callersLanguage(catalogOf(german, "language: fr-FR\n"), "bakery", settings)).toBe("de-DE");
  expect(callersLanguage(catalogOf("", "language: fr-FR\n"), "bakery", settings)).toBe("fr-FR");
  expect(callersLanguage(catalogOf("", ""), "bakery", settings)).toBe("es-ES");
});

const persona = { name: "hurried", description: "Hurried.", caller: "You are in a hurry." };
const checks = { tools: [], tools_not_succeeded: [], agents: [], answers_contain: [], answers_lack: [] };
const goal = { name: "bread", caller: "You want bread.", opening: "Brot, bitte", knows_customer: false, checks };

it("[EVAL-10b] the models are told it, apart from English", async () => {
  const told: string[] = [];
  const judge = {
    usage: () => ({}),
    async ask(messages: readonly { readonly content: string }[]) {
      told.push(messages[0]?.content ?? "");
      return "";
    },
  };
  const instructionsIn = (language: string) =>
    callerMessages({ persona, goal, profile: defaultProfile, language }, [])[0]?.content;
  expect(instructionsIn("de-DE")).toContain("You speak German (Germany)");
  expect(instructionsIn("en-US")).not.toContain("You speak");
  for (const language of ["de-DE", "en-US"])
    await judgeSession(judge, { tone: "Kind." }, { wanted: "bread", language, transcript: [] });
  expect(told[0]).toContain("The conversation is in German (Germany)");
  expect(told.at(-1)).not.toContain("The conversation is in");
});

it("[EVAL-10c] has a voice of the language, and another one than agents have by default", () => {
  const settings = { ttsVoice: "en-US-AvaMultilingualNeural" };
  expect(callersStyle("de-AT", settings)).toMatchObject({ voice: "de-DE-ConradNeural", language: "de-AT" });
  expect(callersStyle("en-GB", settings).language).toBeUndefined();
  expect(callersStyle("it-IT", settings)).toMatchObject({ voice: settings.ttsVoice, language: "it-IT" });
});
