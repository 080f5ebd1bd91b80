/**
 * Removes from a transcript what nobody said: descriptions of sounds, as in subtitles, and marks for readers. Models that were trained on
 * films write these for music, a cough or nothing at all. Their wording is unlimited, so such a remark is recognised by its brackets or
 * marks, not by its words. Pure.
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
/** SenseVoice writes events and emotions as emoji. */
const pictures = /[\p{Extended_Pictographic}\u{FE0F}\u{200D}]/gu;
/** Brackets of any script, except quotation brackets («», 「」), which contain what somebody said. The innermost ones come first. */
const brackets = /[([{（［｛【〔〖][^()[\]{}（）［］｛｝【】〔〕〖〗]{0,80}[)\]}）］｝】〕〗]/gu;
/** A remark that the end of the audio has cut off. */
const cutOff = /(?:^|\s)[([（［【〔][^()[\]（）［］【】〔〕]{0,40}$/u;
/** `*laughs*`, `_sighs_`: at most a few words, directly between two marks. */
const starred = /(?<![\p{L}\p{N}*_])([*_]{1,2})(?=\S)[^*_\n]{1,60}?(?<=\S)\1(?![\p{L}\p{N}*_])/gu;
/** Musical notes and the text between them, which is music and not somebody speaking. */
const sung = /[♩-♯🎵🎶𝄞]+[^♩-♯🎵🎶𝄞\n]*(?:[♩-♯🎵🎶𝄞]+|$)/gmu;
/** `>> `, `- ` and `SPEAKER_01: `, which mark a change of speaker. */
const speakers = /^\s*>{1,3}\s*|(?<=\s)>{2,3}\s*|^\s*[-–—]\s+|(?:^|(?<=\s))speaker[_ ]?\d{1,2}\s*[:：]\s*/gimu;
/** Tested first, because nearly every transcript has none of these marks. */
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

/** What remains of text in brackets: nothing, unless it belongs to what is said around it. */
function withoutRemark(found: string, at: number, all: string): string {
  const inner = found.slice(1, -1).trim();
  const before = all.slice(0, at);
  const after = all.slice(at + found.length);
  // `account(s)` and `3(b)`; `(555) 0100` and `(3:30)`. Written without the brackets, because they would otherwise be matched again without
  // end.
  const isOfWord = /[\p{L}\p{N}]$/u.test(before) && inner.length <= 3;
  if (isOfWord || /^\+?[\d\s.,:%/-]*\d[\d\s.,:%/-]*$/.test(inner)) return isOfWord ? inner : ` ${inner} `;
  return isAside(found, inner, before, after) ? ` ${inner} ` : " ";
}

/** Several words in the middle of a sentence are an aside by the speaker; a remark interrupts for one or two words only. */
function isAside(found: string, inner: string, before: string, after: string): boolean {
  const isRound = /^[(（]/u.test(found);
  const isWithin = /[\p{L}\p{N},]\s*$/u.test(before) && /^\s*[\p{L}\p{N},]/u.test(after);
  return isRound && isWithin && inner.split(/\s+/).length >= 3;
}
