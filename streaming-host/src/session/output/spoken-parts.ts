/** Splits a reply with handoffs by agent. Pure. */

/** The agent speaks from this offset of the reply's text on. */
export interface AgentSegment {
  readonly agent: string;
  readonly textStart: number;
}

export interface SpokenPart {
  readonly agent: string;
  readonly text: string;
}

/** `heard` is the beginning of the reply's text. Parts that were not heard are left out. */
export function spokenParts(heard: string, segments: readonly AgentSegment[]): SpokenPart[] {
  return segments
    .map(({ agent, textStart }, index) => ({
      agent,
      text: heard.slice(textStart, segments[index + 1]?.textStart).trim(),
    }))
    .filter(({ text }) => text !== "");
}
