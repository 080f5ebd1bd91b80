/** The caller's text as words, however a recogniser writes it. */

export function toWords(text: string): string[] {
  return text
    .toLowerCase()
    .replaceAll("’", "'")
    .replaceAll(/[^\p{L}\p{N}'\s]/gu, " ")
    .split(/\s+/)
    .filter((word) => word !== "");
}
