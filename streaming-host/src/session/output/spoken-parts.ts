/** Who said what of a reply in which the floor changed hands. Pure. */

/** From this offset of the reply's text on, this agent speaks. */
export interface AgentSegment {
  readonly agent: string;
  readonly textStart: number;
}

export interface SpokenPart {
  readonly agent: string;
  readonly text: string;
}

/** `heard` is a prefix of the reply's text. Parts of which nothing was heard are left out. */
export function spokenParts(heard: string, segments: readonly AgentSegment[]): SpokenPart[] {
  return segments
    .map(({ agent, textStart }, index) => ({
      agent,
      text: heard.slice(textStart, segments[index + 1]?.textStart).trim(),
    }))
    .filter(({ text }) => text !== "");
}
