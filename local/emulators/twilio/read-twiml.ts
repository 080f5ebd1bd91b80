/** Reads the TwiML that the emulator carries out. Whatever Twilio would not accept is refused, so that no mistake of ours passes here. */
import { VoiceError } from "@voice/shared/platform/errors";

export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly Element[];
  readonly text: string;
}

/** What may stand where, with its attributes (lib/twiml/VoiceResponse.d.ts of the package `twilio` 6.3.1). */
const verbs: Readonly<Record<string, { readonly attributes: readonly string[]; readonly nouns: readonly string[] }>> = {
  Connect: { attributes: ["action", "method"], nouns: ["Stream"] },
  Dial: { attributes: ["action", "method", "timeout", "callerId", "answerOnBridge"], nouns: ["Number", "Sip"] },
  Hangup: { attributes: [], nouns: [] },
  Pause: { attributes: ["length"], nouns: [] },
  Play: { attributes: ["loop", "digits"], nouns: [] },
  Redirect: { attributes: ["method"], nouns: [] },
  Reject: { attributes: ["reason"], nouns: [] },
};
const nouns: Readonly<Record<string, readonly string[]>> = {
  Stream: ["url", "statusCallback", "statusCallbackMethod", "name", "track"],
  Number: ["statusCallback", "statusCallbackEvent", "statusCallbackMethod"],
  Sip: ["statusCallback", "statusCallbackEvent", "statusCallbackMethod"],
};
/** "The twiml parameter may not be longer than 4000 characters" (Call resource). */
const longestDocument = 4000;
/** With headers of 1,024 characters together a SIP address is not dialled (twilio.com/docs/api/errors/21227). They are its query. */
const longestSipHeaders = 1023;

export function readTwiml(text: string): readonly Element[] {
  if (text.length > longestDocument) throw invalid("the document is too long");
  const [response, ...others] = elementsOf(text.replace(/^<\?xml[^>]*\?>/, ""));
  if (response?.name !== "Response" || others.length > 0) throw invalid("there is one Response");
  for (const verb of response.children) {
    const known = verbs[verb.name];
    if (known === undefined) throw invalid(`there is no verb ${verb.name}`);
    requireAttributes(verb, known.attributes);
    for (const noun of verb.children) {
      if (!known.nouns.includes(noun.name)) throw invalid(`${verb.name} has no ${noun.name}`);
      requireAttributes(noun, nouns[noun.name] ?? []);
      const [, headers = ""] = noun.name === "Sip" ? noun.text.trim().split("?") : [];
      if (headers.length > longestSipHeaders) throw invalid("the headers of a SIP address are too long (21227)");
    }
  }
  return response.children;
}

function requireAttributes({ name, attributes }: Element, known: readonly string[]): void {
  const foreign = Object.keys(attributes).find((attribute) => !known.includes(attribute));
  if (foreign !== undefined) throw invalid(`${name} has no attribute ${foreign}`);
}

const tag = /<(\/?)([A-Za-z]+)((?:\s+[A-Za-z]+="[^"<]*")*)\s*(\/?)>/g;

/** The XML that TwiML consists of: elements, attributes, text, and the five entities. */
function elementsOf(xml: string): readonly Element[] {
  const open: { name: string; attributes: Record<string, string>; children: Element[]; text: string }[] = [
    { name: "", attributes: {}, children: [], text: "" },
  ];
  let readTo = 0;
  for (const match of xml.matchAll(tag)) {
    const [whole, closes, name = "", written = "", isEmpty] = match;
    const current = open.at(-1);
    if (current === undefined) throw invalid("a tag is not open");
    const between = xml.slice(readTo, match.index);
    if (between.includes("<")) throw invalid("a tag cannot be read");
    current.text += unescape(between);
    readTo = match.index + whole.length;
    if (closes === "/") {
      if (current.name !== name) throw invalid(`${name} is not open`);
      open.pop();
      open.at(-1)?.children.push(current);
      continue;
    }
    const attributes = Object.fromEntries(
      [...written.matchAll(/([A-Za-z]+)="([^"]*)"/g)].map(([, key = "", value = ""]) => [key, unescape(value)]),
    );
    const element = { name, attributes, children: [], text: "" };
    if (isEmpty === "/") current.children.push(element);
    else open.push(element);
  }
  const [root, unclosed] = open;
  if (unclosed !== undefined || xml.slice(readTo).trim() !== "") throw invalid("a tag is not closed");
  return root?.children ?? [];
}

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

function unescape(text: string): string {
  if (/&(?!(?:amp|lt|gt|quot|apos);)/.test(text)) throw invalid("an ampersand is not escaped");
  return text.replaceAll(/&([a-z]+);/g, (_whole, name: string) => entities[name] ?? "");
}

function invalid(why: string): VoiceError {
  return new VoiceError("validation_error", `no TwiML (12100): ${why}`);
}
