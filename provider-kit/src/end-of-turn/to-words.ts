/** The caller's text as words, independent of how a recogniser writes it. */

export function toWords(text: string): string[] {
  return (
    text
      .toLowerCase()
      .replaceAll("’", "'")
      .match(/[\p{L}\p{M}\p{N}']+/gu) ?? []
  );
}
