/** Every dialogue beside the built-in scenarios, typed. `npm run dialogues` prints the same as a table. */
import { catalogLanguage } from "@voice/local-voice/rules/catalog-language";
import { withCatalogTools } from "@voice/shared/catalog/known-tools";
import { loadCatalog } from "@voice/shared/catalog/load-catalog";
import { loadSettings } from "@voice/shared/config/load";
import { silentLogger } from "@voice/shared/platform/logger";
import { demoCatalogDirs, demoTools } from "@voice/shared/demo/demo-parts";
import { describe, expect, it } from "vitest";
import { composeDialogueTools } from "../../local/dialogues/dialogue-tools.ts";
import { watchOutsideTools } from "../../local/dialogues/outside-tools.ts";
import { findUncovered } from "../support/dialogue-coverage.ts";
import { holdDialogue } from "../../local/dialogues/hold-dialogue.ts";
import type { HeldDialogue } from "../../local/dialogues/hold-dialogue.ts";
import { readDialogues } from "../../local/dialogues/read-dialogues.ts";
import { resultLines } from "../../local/dialogues/result-table.ts";
import { createTypedLines } from "../../local/dialogues/typed-line.ts";

const code = { tools: demoTools, mcpServers: [] };
const catalog = await loadCatalog(demoCatalogDirs, code, { language: catalogLanguage });
const known = withCatalogTools(code, catalog);
const dialogues = await readDialogues(demoCatalogDirs, catalog, known);
const own = await composeDialogueTools(catalog, demoTools, loadSettings({}), silentLogger);
const open = createTypedLines(catalog, { outside: watchOutsideTools(own.tools) });
const held: HeldDialogue[] = [];

/** No built-in agent lists them: they are for agents that operators of the service add. */
const toolsNobodyCalls = [
  "press_keys", // for outbound calls that meet a telephone menu
];

describe("the built-in dialogues", () => {
  it.each(dialogues.map((dialogue) => [dialogue.scenario, dialogue.name, dialogue] as const))(
    "%s: %s",
    async (_scenario, _name, dialogue) => {
      const result = await holdDialogue(dialogue, open);
      held.push(result);
      expect(result.passed ? [] : resultLines(result, 0)).toEqual([]);
    },
  );

  it("let every agent speak, take every handoff and call every tool", () => {
    expect(findUncovered(held, catalog, known.tools.keys())).toEqual({
      agents: [],
      handoffs: [],
      tools: toolsNobodyCalls,
    });
  });
});
