/** The caller's text as words, however a recogniser writes it. */

export function toWords(text: string): string[] {
  return (
    text
      .toLowerCase()
      .replaceAll("’", "'")
      .match(/[\p{L}\p{M}\p{N}']+/gu) ?? []
  );
}
