/**
 * What callers, models and services wrote, as one line for a terminal or for a file of lines. A line end would begin a line
 * that nobody said, and a terminal obeys control characters: they set its title, write to its clipboard and hide lines.
 */
export function oneLine(text: string): string {
  return text.replaceAll(/[\s\p{Cc}]+/gu, " ");
}
