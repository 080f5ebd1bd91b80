/**
 * Takes out of a transcript what nobody said: remarks about sounds, as subtitles have them, and marks for readers. Models that were trained
 * on films write these where they hear music, a cough or nothing at all, and there is no end to what they call it, so a remark is
 * recognised by how it is set off, not by its words. Pure.
 */

const clock = String.raw`(?:\d{1,2}:)?\d{1,2}:\d{2}(?:[.,]\d{1,3})?`;
/** `[00:00:00.000 --> 00:00:02.000]` of whisper.cpp, with the numbers of SRT and the title of WebVTT; `[00:12]` of others. */
const timestamps = new RegExp(
  [
    String.raw`^WEBVTT.*$`,
    String.raw`(?:^\s*\d+\s*\n)?\s*[[(<]?\s*${clock}\s*-+>\s*${clock}[^\S\n]*[\])>]?`,
    String.raw`[[<]\s*${clock}\s*[\]>]`,
  ].join("|"),
  "gm",
);
/** `<|nospeech|>`, `<|0.00|>`, `<|de|>`: tokens of the model itself. `<i>`, `<unk>`: tags. */
const tokens = /<\|[^|<>]{0,40}\|>|<\/?[a-z]{1,8}>/gi;
/** SenseVoice writes events and feelings as emoji. */
const pictures = /[\p{Extended_Pictographic}\u{FE0F}\u{200D}]/gu;
/** In brackets of any script but those of quotations («», 「」), in which stands what somebody said. The innermost first. */
const brackets = /[([{（［｛【〔〖][^()[\]{}（）［］｛｝【】〔〕〖〗]{0,80}[)\]}）］｝】〕〗]/gu;
/** One that the end of the audio has cut off. */
const cutOff = /(?:^|\s)[([（［【〔][^()[\]（）［］【】〔〕]{0,40}$/u;
/** `*laughs*`, `_sighs_`: at most a few words, between marks that touch them. */
const starred = /(?<![\p{L}\p{N}*_])([*_]{1,2})(?=\S)[^*_\n]{1,60}?(?<=\S)\1(?![\p{L}\p{N}*_])/gu;
/** Notes and what is sung between them: music that is heard, not somebody who speaks. */
const sung = /[♩-♯🎵🎶𝄞]+[^♩-♯🎵🎶𝄞\n]*(?:[♩-♯🎵🎶𝄞]+|$)/gmu;
/** `>> `, `- ` and `SPEAKER_01: ` where another person begins. */
const speakers = /^\s*>{1,3}\s*|(?<=\s)>{2,3}\s*|^\s*[-–—]\s+|(?:^|(?<=\s))speaker[_ ]?\d{1,2}\s*[:：]\s*/gimu;
/** Nearly every transcript has none of them. */
const anyMark = /[([{<>*_（［｛【〔〖♩-♯🎵🎶𝄞\p{Extended_Pictographic}]|^\s*[-–—]\s|-->|speaker|^WEBVTT/imu;

export function withoutAnnotations(text: string): string {
  if (!anyMark.test(text)) return text.trim();
  let rest = text.replaceAll(timestamps, " ").replaceAll(tokens, " ").replaceAll(sung, " ").replaceAll(starred, " ");
  for (let before = ""; before !== rest;) {
    before = rest;
    rest = before.replaceAll(brackets, (found: string, at: number) => withoutRemark(found, at, before));
  }
  rest = rest.replaceAll(speakers, " ").replace(cutOff, " ").replaceAll(pictures, " ");
  const joined = rest.replaceAll(/\s+/g, " ").replaceAll(/ (?=[,.!?;:。，！？])/g, "");
  return joined.replace(/^[\s:：;,.!?…-]+(?=[\p{L}\p{N}¿¡"'«])/u, "").trim();
}

/** What stays of something in brackets: nothing, unless it is part of what is said around it. */
function withoutRemark(found: string, at: number, all: string): string {
  const inner = found.slice(1, -1).trim();
  const before = all.slice(0, at);
  const after = all.slice(at + found.length);
  // `account(s)` and `3(b)`; `(555) 0100` and `(3:30)`. Without brackets, or they would be looked at for ever.
  const isOfWord = /[\p{L}\p{N}]$/u.test(before) && inner.length <= 3;
  if (isOfWord || /^\+?[\d\s.,:%/-]*\d[\d\s.,:%/-]*$/.test(inner)) return isOfWord ? inner : ` ${inner} `;
  return isAside(found, inner, before, after) ? ` ${inner} ` : " ";
}

/** Several words in the middle of a sentence: what somebody says in passing, where a remark interrupts for a word or two. */
function isAside(found: string, inner: string, before: string, after: string): boolean {
  const isRound = /^[(（]/u.test(found);
  const isWithin = /[\p{L}\p{N},]\s*$/u.test(before) && /^\s*[\p{L}\p{N},]/u.test(after);
  return isRound && isWithin && inner.split(/\s+/).length >= 3;
}
