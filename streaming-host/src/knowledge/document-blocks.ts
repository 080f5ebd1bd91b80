/** A document as a reader sees it: paragraphs, each under its headings. */
import { readFile } from "node:fs/promises";
import { basename, extname } from "node:path";
import { NodeType, parse, type HTMLElement, type Node } from "node-html-parser";

export interface Block {
  /** The headings above the block, from the outermost. */
  readonly headings: readonly string[];
  readonly text: string;
  /** The page, counted from 1, in documents that have pages. */
  readonly page?: number | undefined;
}

/** The libraries are read only for the kinds of documents that occur. Rejects with what is wrong with the file. */
export async function readDocument(path: string): Promise<readonly Block[]> {
  const bytes = await readFile(path);
  const kind = extname(path).toLowerCase();
  if (kind === ".pdf") return await readPdf(bytes);
  if (kind === ".docx") {
    const { default: mammoth } = await import("mammoth");
    return readHtml((await mammoth.convertToHtml({ buffer: bytes })).value);
  }
  const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  if (kind === ".txt") return textBlocks(text);
  if (kind === ".html" || kind === ".htm") return readHtml(text);
  const { marked } = await import("marked");
  return readHtml(await marked.parse(withoutFrontMatter(text)));
}

/** Without headings of its own, a document is known by its name: `opening-hours.md` is about opening hours. */
export function nameOfDocument(path: string): string {
  return basename(path, extname(path)).replaceAll(/[-_]+/g, " ").trim();
}

async function readPdf(bytes: Uint8Array): Promise<readonly Block[]> {
  const { extractText } = await import("unpdf");
  const { text: pages } = await extractText(new Uint8Array(bytes), { mergePages: false });
  return pages.flatMap((text, index) => textBlocks(text).map((block) => ({ ...block, page: index + 1 })));
}

function textBlocks(text: string): Block[] {
  return text
    .split(/\n\s*\n/)
    .map(oneLine)
    .filter((paragraph) => paragraph !== "")
    .map((paragraph) => ({ headings: [], text: paragraph }));
}

function withoutFrontMatter(text: string): string {
  return text.replace(/^---\r?\n[\s\S]*?\r?\n---\r?\n/, "");
}

const neverRead = new Set(["SCRIPT", "STYLE", "NOSCRIPT", "TEMPLATE", "NAV", "FORM", "SVG", "HEAD"]);
const inline = new Set(
  "A ABBR B BDI BDO BR CITE CODE DATA DFN EM I KBD MARK Q S SAMP SMALL SPAN STRONG SUB SUP TIME U VAR WBR IMG FONT DEL INS".split(
    " ",
  ),
);

export function readHtml(html: string): readonly Block[] {
  const blocks: Block[] = [];
  let headings: readonly string[] = [];
  const add = (text: string): void => {
    const line = oneLine(text);
    if (line !== "") blocks.push({ headings, text: line });
  };
  const visit = (element: HTMLElement): void => {
    const level = /^H([1-6])$/.exec(element.tagName ?? "")?.[1];
    if (level !== undefined) {
      const title = oneLine(element.textContent);
      headings = title === "" ? headings : [...headings.slice(0, Number(level) - 1), title];
    } else if (element.tagName === "TR") add(element.childNodes.filter(isElement).map(textOf).join(", "));
    else visitChildren(element);
  };
  const visitChildren = (element: HTMLElement): void => {
    let line = "";
    for (const child of element.childNodes) {
      if (!isElement(child)) line += child.nodeType === NodeType.TEXT_NODE ? child.text : "";
      else if (inline.has(child.tagName)) line += child.tagName === "BR" ? "\n" : textOf(child);
      else if (!neverRead.has(child.tagName)) {
        add(line);
        line = "";
        visit(child);
      }
    }
    add(line);
  };
  visitChildren(parse(html));
  return blocks;
}

function isElement(node: Node): node is HTMLElement {
  return node.nodeType === NodeType.ELEMENT_NODE;
}

function textOf(element: HTMLElement): string {
  return oneLine(element.structuredText);
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}
