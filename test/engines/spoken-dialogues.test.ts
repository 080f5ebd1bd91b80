/**
 * Some of the catalog's dialogues with nothing faked, chosen for what only a voice can show; `npm run dialogues -- --audio`
 * holds any of the others.
 */
import { withCatalogTools } from "@voice/shared/catalog/known-tools";
import { demoCatalogDirs, demoTools } from "@voice/shared/demo/demo-parts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Dialogue } from "../../local/dialogues/dialogue.ts";
import { holdDialogue } from "../../local/dialogues/hold-dialogue.ts";
import { readDialogues } from "../../local/dialogues/read-dialogues.ts";
import { resultLines } from "../../local/dialogues/result-table.ts";
import { createSpokenLines } from "../../local/dialogues/spoken-lines.ts";
import type { SpokenLines } from "../../local/dialogues/spoken-lines.ts";
import { builtInCatalog } from "../support/built-in-catalog.ts";
import { decodedSpeech } from "../support/speech-engines.ts";
import { testClock } from "../support/test-clock.ts";

let dialogues: readonly Dialogue[];
let lines: SpokenLines;

beforeAll(async () => {
  const catalog = await builtInCatalog();
  const known = withCatalogTools({ tools: demoTools, mcpServers: [] }, catalog);
  dialogues = await readDialogues(demoCatalogDirs, catalog, known);
  lines = await createSpokenLines({ catalog, time: testClock, localSpeech: decodedSpeech });
});

afterAll(async () => {
  await lines.close();
});

describe("a written dialogue, spoken", () => {
  it.each([
    "the greeting is interrupted by the question",
    "a balance, then goodbye",
    // Code words are expected once they were asked for: digits are heard as digits.
    "a summary only after the right digits",
    // No word is recognised, and the agent behaves as if it had been told nonsense.
    "three misunderstandings in a row lead to a person, and nobody takes the call",
    // Another agent listens for other sentences, and speaks with another voice.
    "a block that is declined does not happen",
  ])("goes as it does typed: %s", async (name) => {
    const dialogue = dialogues.find((candidate) => candidate.name === name);
    if (dialogue === undefined) throw new Error(`no dialogue is called ${name}`);
    const held = await holdDialogue(dialogue, lines.open);
    expect(held.passed ? [] : resultLines(held, 0)).toEqual([]);
  });
});
