/**
 * TwiML, in which Twilio is told what to do with a call. Only the verbs and attributes that are used; their names are those of
 * lib/twiml/VoiceResponse.d.ts of the package `twilio` 6.3.1, with whose documents the tests compare these.
 */

export interface Verb {
  readonly name: string;
  readonly attributes?: Readonly<Record<string, string | number | undefined>>;
  readonly content?: string | readonly Verb[];
}

export function toTwiml(...verbs: readonly Verb[]): string {
  return `<?xml version="1.0" encoding="UTF-8"?><Response>${verbs.map(toXml).join("")}</Response>`;
}

function toXml({ name, attributes = {}, content = "" }: Verb): string {
  const written = Object.entries(attributes)
    .flatMap(([key, value]) => (value === undefined ? [] : [` ${key}="${escape(String(value))}"`]))
    .join("");
  const inner = typeof content === "string" ? escape(content) : content.map(toXml).join("");
  return inner === "" ? `<${name}${written}/>` : `<${name}${written}>${inner}</${name}>`;
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

/** XML 1.0 has no control characters except these three, not even escaped. */
const notXml = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

function escape(text: string): string {
  return text.replaceAll(notXml, "").replaceAll(/[&<>"']/g, (character) => entities[character] ?? character);
}
