/** Cuts a heard reply into sentences for captions, each with the sample at which it ends. Pure. */
import type { SpokenPart } from "./spoken-parts.ts";
import type { AgentWords } from "../recording/session-recorder.ts";

const sentence = /\S.*?(?:[.!?]+(?=\s|$)|$)/gsu;

/**
 * `parts` are consecutive from the beginning of the reply's text. `sampleOf` gives the sample at which the text up to an offset has been
 * spoken.
 */
export function captionSentences(
  heard: string,
  parts: readonly SpokenPart[],
  sampleOf: (textEnd: number) => number,
): AgentWords[] {
  let from = 0;
  return parts.flatMap(({ agent, text }) => {
    const start = heard.indexOf(text, from);
    from = start + text.length;
    return [...text.matchAll(sentence)].map((match) => {
      const [words] = match;
      const end = start + match.index + words.length;
      return { agent, text: words.trim(), endSample: sampleOf(end) };
    });
  });
}
