import { shownIncomingCallUrl } from "@voice/shared/calls/webhook-urls";
import { catalogLanguage } from "@voice/local-voice/rules/catalog-language";
import { agentDefaults, unsetModels, unsetVoice } from "@voice/shared/catalog/agent-defaults";
import { parseCatalog } from "@voice/shared/catalog/parse-catalog";
import { builtInCatalogDir, readCatalogFiles } from "@voice/shared/catalog/read-catalog";
import { demoTools } from "@voice/shared/demo/demo-parts";
import { expect, it } from "vitest";
import { firstSayings } from "./first-sayings.ts";
import { startScreen } from "./start-screen.ts";

const screen = (url: string, phoneUrl: string | undefined, incomingCallUrl?: string, sayings?: string[]) =>
  startScreen({
    sayings,
    url,
    phoneUrl,
    incomingCallUrl,
    parts: [{ name: "state", kind: "local", detail: "memory of this process" }],
    agents: 9,
    scenarios: 3,
    hasConsole: true,
    hasState: true,
    startedInMs: 1700,
  });

it("prints commands that can be typed as they are on the usual ports", () => {
  const usual = screen("http://localhost:8080", "http://127.0.0.1:8090");
  expect(usual).toContain('npm run caller -- --say "I want to check my balance" --say "I lost my card"\n');
  expect(usual).toContain('npm run phone -- --inbound --say "I lost my card"\n');
});

it("suggests what the first agent of one's own scenario understands", async () => {
  const files = await readCatalogFiles(new URL("new-project/template", import.meta.url).pathname);
  const common = await readCatalogFiles(builtInCatalogDir());
  const catalog = parseCatalog(
    [common, files],
    { tools: demoTools, mcpServers: [] },
    { agentDefaults: agentDefaults(unsetVoice, unsetModels), language: catalogLanguage },
  );
  expect(firstSayings(catalog, "project-name")).toEqual(["when are you open", "where is my order"]);
  expect(firstSayings(catalog, undefined)).toBeUndefined();
  const own = screen("http://localhost:8080", "http://127.0.0.1:8090", undefined, ["when are you open", "bread"]);
  expect(own).toContain('npm run caller -- --say "when are you open" --say "bread"\n');
  expect(own).toContain('npm run phone -- --inbound --say "bread"\n');
});

it("says where the service and its phones are when they are elsewhere", () => {
  const other = screen("http://localhost:8081", "http://127.0.0.1:40123");
  expect(other).toContain('--say "I lost my card" --url http://localhost:8081\n');
  expect(other).toContain('--say "I lost my card" --url http://127.0.0.1:40123\n');
});

it("says which address the event subscription needs, when calls come from the real service", () => {
  const address = shownIncomingCallUrl("https://voice.example.com", { commWebhookSecrets: ["hunter2", "hunter1"] });
  const real = screen("http://localhost:8080", undefined, address);
  expect(real).toContain("https://voice.example.com/api/v1/calls/answer?secret=<COMM_WEBHOOK_SECRET>");
  expect(real).not.toContain("hunter");
});
