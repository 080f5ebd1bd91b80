/**
 * Prepares text for Flite: plain ASCII, in pieces short enough that each is spoken while the next one is synthesised.
 */

export interface TextPiece {
  readonly text: string;
  /** Offset in the original text. */
  readonly offset: number;
}

/**
 * Flite synthesises a whole piece in memory before it returns: 200 characters are 12 s of speech, 0.3 s of work and 10
 * MB. The pipeline's clauses are shorter, so each stays in one piece and keeps its intonation.
 */
export const maxPieceChars = 200;

/** `toSpeakable`: what the voice makes of the text; pieces of which nothing remains are left out. */
export function splitForSpeech(text: string, toSpeakable: (piece: string) => string = toAscii): TextPiece[] {
  const pieces: TextPiece[] = [];
  for (let offset = 0; offset < text.length;) {
    const length = pieceLength(text.slice(offset, offset + maxPieceChars), offset + maxPieceChars >= text.length);
    const piece = text.slice(offset, offset + length);
    if (/[\p{L}\p{N}]/u.test(toSpeakable(piece))) pieces.push({ text: piece, offset });
    offset += length;
  }
  return pieces;
}

/**
 * Removes diacritics (`café`) and simplifies typographic punctuation; any other non-ASCII character cannot be spoken in
 * English.
 */
export function toAscii(text: string): string {
  return text
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[‘’]/g, "'")
    .replaceAll(/[“”]/g, '"')
    .replaceAll(/[–—]/g, ", ")
    .replaceAll(/[^ -~]/g, " ");
}

/** Splits at the last sentence end, else the last clause end, else the last space. */
function pieceLength(window: string, isLast: boolean): number {
  if (isLast) return window.length;
  for (const boundary of [/[.!?]\s+/g, /[,;:]\s+/g, /\s+/g]) {
    const ends = [...window.matchAll(boundary)].map((match) => match.index + match[0].length);
    const last = ends.at(-1);
    if (last !== undefined && last > maxPieceChars / 4) return last;
  }
  return window.length;
}
