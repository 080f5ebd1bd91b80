/** Cuts documents into passages: long enough to answer a question, and short enough that several fit into one answer of a tool. */
import type { Passage } from "@voice/shared/knowledge/knowledge-source";
import type { Block } from "./document-blocks.ts";

/** Some 150 words. Four of them, with where they stand, are half of what a tool's result may have (TOOL-1). */
export const longestPassage = 900;

/** `document`: where the passages come from; `name`: their title where a document has no headings. */
export function passagesOf(
  blocks: readonly Block[],
  { document, name }: { readonly document: string; readonly name: string },
): Passage[] {
  const passages: Passage[] = [];
  let last: { readonly place: string; text: string } | undefined;
  for (const { headings, text, page } of blocks) {
    const title = headings.length === 0 ? name : headings.join(" › ");
    const source = page === undefined ? document : `${document}, page ${page}`;
    const place = `${source}\n${title}`;
    for (const piece of piecesOf(text)) {
      const joined = last?.place === place ? `${last.text} ${piece}` : undefined;
      if (joined !== undefined && joined.length <= longestPassage) {
        passages[passages.length - 1] = { text: joined, title, source };
        last = { place, text: joined };
      } else {
        passages.push({ text: piece, title, source });
        last = { place, text: piece };
      }
    }
  }
  return passages;
}

/** A long paragraph is cut after sentences, and a long sentence after words. */
function piecesOf(text: string): string[] {
  if (text.length <= longestPassage) return [text];
  const pieces: string[] = [];
  let rest = text;
  while (rest.length > longestPassage) {
    const window = rest.slice(0, longestPassage);
    const sentence = Math.max(...[". ", "! ", "? "].map((mark) => window.lastIndexOf(mark) + 1));
    const word = window.lastIndexOf(" ");
    const end = sentence > longestPassage / 3 ? sentence : word > 0 ? word : longestPassage;
    pieces.push(rest.slice(0, end).trim());
    rest = rest.slice(end).trim();
  }
  return rest === "" ? pieces : [...pieces, rest];
}
