/** Pieces of an answer include their own spaces, except at the beginning of a sentence. Pure. */
export function joinPieces(text: string, piece: string): string {
  return /[.?!]$/.test(text) && /^\p{Lu}/u.test(piece) ? `${text} ${piece}` : text + piece;
}
