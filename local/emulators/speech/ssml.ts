/**
 * Parses the SSML that speech clients send: one voice, an optional style and prosody, text. Refuses malformed SSML
 * (learn.microsoft.com/azure/ai-services/speech-service/speech-synthesis-markup-structure).
 */
import type { Voice } from "@voice/provider-kit/ports/synthesiser";

export type SpokenDocument = { readonly text: string; readonly voice: Voice; readonly language: string };

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
const tagPattern = /<(\/?)([\w:-]+)((?:\s+[\w:-]+=(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>/y;
const textPattern = /[^<]+/y;

export function parseSsml(ssml: string): SpokenDocument {
  const open: string[] = [];
  const attributes = new Map<string, string>();
  let text = "";
  for (let position = 0; position < ssml.length;) {
    textPattern.lastIndex = position;
    const run = textPattern.exec(ssml)?.[0];
    if (run !== undefined) {
      text += unescapeXml(run);
      position += run.length;
      continue;
    }
    tagPattern.lastIndex = position;
    const tag = tagPattern.exec(ssml);
    if (tag === null) throw new SyntaxError("the SSML is not well formed");
    const [whole, closing, name = "", attributeText = "", selfClosing] = tag;
    if (closing === "/") {
      if (open.pop() !== name) throw new SyntaxError(`the SSML closes ${name} out of order`);
    } else {
      readAttributes(name, attributeText, attributes);
      if (selfClosing !== "/") open.push(name);
    }
    position += whole.length;
  }
  if (open.length > 0) throw new SyntaxError("the SSML ends inside an element");
  return {
    text,
    language: attributes.get("speak xml:lang") ?? "en-US",
    voice: {
      name: attributes.get("voice name") ?? "",
      style: attributes.get("mstts:express-as style"),
      rate: attributes.get("prosody rate"),
      pitch: attributes.get("prosody pitch"),
    },
  };
}

function readAttributes(element: string, text: string, into: Map<string, string>): void {
  for (const [, name = "", double, single] of text.matchAll(/([\w:-]+)=(?:"([^"]*)"|'([^']*)')/g)) {
    into.set(`${element} ${name}`, unescapeXml(double ?? single ?? ""));
  }
}

function unescapeXml(text: string): string {
  return text.replaceAll(/&(#?\w*);?/g, (whole, name: string) => {
    const replacement = entities[name];
    if (replacement === undefined || !whole.endsWith(";")) throw new SyntaxError("the SSML has an unknown entity");
    return replacement;
  });
}
