/** Text as Flite can take it: plain ASCII in pieces short enough to be spoken while the next one is being made. */

export interface TextPiece {
  readonly text: string;
  /** Where it stands in the original. */
  readonly offset: number;
}

/**
 * Flite holds a whole piece in memory and returns it whole: 200 characters are 12 s of speech, 0.3 s of work and 10 MB.
 * A clause, which is what the pipeline sends, is shorter and stays in one piece, so its intonation stays whole too.
 */
export const maxPieceChars = 200;

export function splitForSpeech(text: string): TextPiece[] {
  const pieces: TextPiece[] = [];
  for (let offset = 0; offset < text.length;) {
    const length = pieceLength(text.slice(offset, offset + maxPieceChars), offset + maxPieceChars >= text.length);
    const piece = text.slice(offset, offset + length);
    if (/[\p{L}\p{N}]/u.test(toAscii(piece))) pieces.push({ text: piece, offset });
    offset += length;
  }
  return pieces;
}

/** Letters lose their marks (`café`), typographic punctuation becomes plain; what is left cannot be spoken in English. */
export function toAscii(text: string): string {
  return text
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[‘’]/g, "'")
    .replaceAll(/[“”]/g, '"')
    .replaceAll(/[–—]/g, ", ")
    .replaceAll(/[^ -~]/g, " ");
}

/** At the last sentence end, else the last clause end, else the last space. */
function pieceLength(window: string, isLast: boolean): number {
  if (isLast) return window.length;
  for (const boundary of [/[.!?]\s+/g, /[,;:]\s+/g, /\s+/g]) {
    const ends = [...window.matchAll(boundary)].map((match) => match.index + match[0].length);
    const last = ends.at(-1);
    if (last !== undefined && last > maxPieceChars / 4) return last;
  }
  return window.length;
}
