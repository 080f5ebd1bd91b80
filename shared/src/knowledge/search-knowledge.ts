/** The tool by which agents look things up in the documents that they may know. */
import { z } from "zod";
import { packOf } from "../languages/packs.ts";
import { defineTool } from "../tools/define-tool.ts";
import { failed, succeeded } from "../tools/outcome.ts";
import { usualNotice } from "../tools/tool.ts";
import type { Tool } from "../tools/tool.ts";
import type { KnowledgeSearch, Passage } from "./knowledge-source.ts";

export const searchKnowledgeName = "search_knowledge";

/** A caller does not listen for longer, so a rule that speaks `answer` ends at the sentence before. */
const spokenCharacters = 400;

const parameters = z.object({
  question: z
    .string()
    .min(1)
    .max(500)
    .describe("The question in full, with what it refers to, in the language of the documents."),
});

/** What a catalog is checked with and lists show, where nothing is searched. */
export const describedSearchTool = {
  description:
    "Searches this service's own documents. Use it for every question of fact about the business: what it offers, its " +
    "prices, times, terms and rules. Never answer such a question from memory.",
  parameters,
  resultFields: ["answer", "passages"],
  onInterruption: "cancel",
} as const satisfies Partial<Tool>;

const fromPassagesOnly =
  "Answer from these passages only, in one or two sentences. If they do not answer the question, say that you do not know.";
const doNotInvent =
  "Nothing in the documents answers this. Say that you do not know, and offer what you can do. Do not guess.";

export function createSearchTool(knowledge: KnowledgeSearch): Tool {
  return {
    ...defineTool({
      ...describedSearchTool,
      name: searchKnowledgeName,
      slowNotice: usualNotice,
      run: async ({ question }, { knowledge: names = [], language, signal }) => {
        const passages = await knowledge.search(names, question, signal);
        const [best] = passages;
        if (best === undefined)
          return failed("nothing_found", packOf(language).sentences.notKnown, { result: { note: doNotInvent } });
        return succeeded({ answer: spokenPart(best), passages, note: fromPassagesOnly });
      },
    }),
    resultFields: describedSearchTool.resultFields,
  };
}

/** The beginning of a passage, to the end of a sentence where one is near. */
function spokenPart({ text }: Passage): string {
  if (text.length <= spokenCharacters) return text;
  const beginning = text.slice(0, spokenCharacters);
  const end = Math.max(...[". ", "! ", "? "].map((mark) => beginning.lastIndexOf(mark)));
  return end > 0 ? beginning.slice(0, end + 1) : `${beginning.slice(0, beginning.lastIndexOf(" "))} …`;
}
