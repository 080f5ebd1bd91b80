/**
 * Text from callers, models and services as one line for a terminal or for a file of lines. A line break would start a line that nobody
 * wrote, and a terminal obeys control characters: they set its title, write to its clipboard and hide lines.
 */
export function oneLine(text: string): string {
  return text.replaceAll(/[\s\p{Cc}]+/gu, " ");
}
