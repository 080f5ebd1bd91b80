/** Turns a model's text, which is written to be read, into text for the voice. Pure, one clause at a time. */

/** Zero-width space, word joiner and soft hyphen. They are not audible, and would hide words from guardrails. */
const unheard = /[\u{AD}\u{200B}\u{2060}]/gu;
/**
 * Flags are pairs of regional indicators, or a flag followed by tags. Characters that are emoji only with a variation selector stay,
 * because voices read them.
 */
const emoji =
  /(?![©®™‼⁉])\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Regional_Indicator}|\u{FE0E}|\u{FE0F}|\u{200D}|\u{20E3}|[\u{E0020}-\u{E007F}]/gu;
const namedEntities: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  ensp: " ",
  emsp: " ",
  thinsp: " ",
  shy: "",
  ndash: "–",
  mdash: "—",
  hellip: "…",
  lsquo: "‘",
  rsquo: "’",
  ldquo: "“",
  rdquo: "”",
  laquo: "«",
  raquo: "»",
  bull: "•",
  middot: "·",
  deg: "°",
  euro: "€",
  pound: "£",
  yen: "¥",
  cent: "¢",
  copy: "©",
  reg: "®",
  trade: "™",
  times: "×",
  divide: "÷",
  frac12: "½",
  frac14: "¼",
  frac34: "¾",
};
const entity = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,8}\d{0,2}));/gi;
/** "\\*" stands for the character itself. It is encoded in the private use area, so that the following replacements ignore it. */
const escapedSign = /\\([!-/:-@[-`{-~])/g;
const hidden = 0xe0_00;
const hiddenSign = /[\uE021-\uE07E]/g;
const address = /\bhttps?:\/\/[^\s<>"')\]]+/gi;

/** Words and their punctuation with single spaces, as in most clauses: the replacements below would change nothing. */
const alreadySpeakable = /^[A-Za-z0-9](?:[A-Za-zÀ-ÖØ-öø-ÿ0-9.,;:!?'’-]| (?=\S))*$/;

/** Text without a letter or a digit is not audible: punctuation, spaces, an emoji. */
export function hasWords(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text);
}

export function toSpeakableText(text: string): string {
  if (alreadySpeakable.test(text)) return text;
  const words = toWords(
    text.replaceAll(escapedSign, (_all, sign: string) => String.fromCharCode(hidden + sign.charCodeAt(0))),
  )
    .replaceAll(hiddenSign, (sign) => String.fromCharCode(sign.charCodeAt(0) - hidden))
    .replaceAll(unheard, "")
    .replaceAll(emoji, "")
    .replaceAll(/\s+/g, " ")
    .trim();
  return hasWords(words) ? words : "";
}

/** Removes what is meant for the eye: Markdown, tags, the targets of links. */
function toWords(text: string): string {
  return text
    .replaceAll(/^\s{0,3}\[(?!\^)[^\]\n]+\]:\s+\S+.*$/gm, "") // the target of a numbered link
    .replaceAll(/^\s{0,3}\[\^[^\]\n]+\]:\s*/gm, "") // the label of a footnote; its text stays
    .replaceAll(/\[\^[^\]\n]{1,30}\]/g, "") // a reference to a footnote
    .replaceAll(/!?\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])/g, "$1") // [label](address): the label
    .replaceAll(/【[^】]{0,80}†[^】]{0,80}】/g, "") // a source reference
    .replaceAll(/`{1,3}/g, "")
    .replaceAll(/^\s{0,3}(?:#{1,6}|>|[-*+•‣◦▪])\s+(?:\[[ xX]?\]\s+)?/gm, "") // headings, quotes, bullets, tasks
    .replaceAll(/\s#{1,6}\s*$/gm, "") // the closing marks of a heading
    .replaceAll(/^\s*(?:[-*_=]\s*){3,}$/gm, "") // horizontal rules
    .replaceAll(/(\*\*|__|~~|==(?=\S))/g, "")
    .replaceAll(/(^|[\s(])[*_](?=\S)|(?<=\S)[*_](?=[\s).,;:!?]|$)/g, "$1")
    .replaceAll(/<\/?[a-z][\w:-]*(?:\s+[\w:-]+\s*=\s*(?:"[^"<>]*"|'[^'<>]*'|[^\s"'<>]+))*\s*\/?>/gi, "")
    .replaceAll(entity, decoded)
    .replaceAll(address, readableAddress)
    .replaceAll(/^\s*\|+\s*|\s*\|+\s*$|^\s*:?-{2,}:?\s*$/gm, "") // the borders of a table's row
    .replaceAll(/(?:\s*\|)+\s*/g, ", "); // the separators between cells
}

function decoded(written: string, decimal?: string, hexadecimal?: string, name?: string): string {
  if (name !== undefined) return namedEntities[name.toLowerCase()] ?? written;
  const code = decimal === undefined ? Number.parseInt(hexadecimal ?? "", 16) : Number.parseInt(decimal, 10);
  return code > 0 && code <= 0x10_ff_ff && !(code >= 0xd8_00 && code <= 0xdf_ff) ? String.fromCodePoint(code) : "";
}

/** The host and a short path made of words; a query is not worth speaking. */
function readableAddress(written: string): string {
  const end = /[.,;:!?…]+$/.exec(written)?.[0] ?? "";
  const [host = "", ...path] = written
    .slice(0, written.length - end.length)
    .replace(/^https?:\/\/(?:www\.)?/i, "")
    .split(/[?#]/, 1)[0]
    ?.split("/") ?? [""];
  const words = path.filter((part) => part !== "");
  const isReadable = words.length <= 2 && words.every((part) => /^[a-z][a-z-]{0,20}$/i.test(part));
  return [host, ...(isReadable ? words : [])].join("/") + end;
}
