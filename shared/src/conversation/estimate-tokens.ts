/** Estimates how many tokens a text takes if no vendor has counted them. */

/**
 * For English four characters per token is right to within a fifth; scripts without spaces use about one token per
 * character. Good enough for a budget, never for a bill.
 */
export function estimateTokens(text: string): number {
  const wide = text.match(/[\u{2E80}-\u{9FFF}\u{AC00}-\u{D7AF}\u{F900}-\u{FAFF}]/gu)?.length ?? 0;
  return Math.ceil((text.length - wide) / 4) + wide;
}
