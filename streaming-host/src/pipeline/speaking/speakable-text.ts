/** Turns a model's text, which is written for reading, into text for the voice. Pure, one clause at a time. */

/** Zero-width space, word joiner and soft hyphen: nobody hears them, and they would divide words for guardrails. */
const unheard = /[\u{AD}\u{200B}\u{2060}]/gu;
const emoji = /\p{Extended_Pictographic}|\p{Emoji_Modifier}|\u{FE0F}|\u{200D}|\u{20E3}/gu;

/**
 * Words and their punctuation with single spaces, as most clauses are; the replacements below would not change them.
 */
const alreadySpeakable = /^[A-Za-z0-9](?:[A-Za-zÀ-ÖØ-öø-ÿ0-9.,;:!?'’-]| (?=\S))*$/;

/** Without a letter or a digit nothing is heard: punctuation, spaces, an emoji. */
export function hasWords(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text);
}

export function toSpeakableText(text: string): string {
  if (alreadySpeakable.test(text)) return text;
  return text
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, "$1") // [label](address): the label
    .replaceAll(/`{1,3}/g, "")
    .replaceAll(/^\s{0,3}(?:#{1,6}|>|[-*+•])\s+/gm, "") // headings, quotes, bullets
    .replaceAll(/(\*\*|__|~~)/g, "")
    .replaceAll(/(^|[\s(])[*_](?=\S)|(?<=\S)[*_](?=[\s).,;:!?]|$)/g, "$1")
    .replaceAll(/<\/?[a-z][^>]{0,80}>/gi, "")
    .replaceAll(/\bhttps?:\/\/(?:www\.)?/gi, "")
    .replaceAll(unheard, "")
    .replaceAll(emoji, "")
    .replaceAll(/\s+/g, " ")
    .trim();
}
