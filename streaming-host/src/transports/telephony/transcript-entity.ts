/** Formats a transcript as the platform's `transcript` entity. */

interface SaidWords {
  readonly id: string;
  readonly text: string;
  readonly channelId: number;
  /** In the platform's time; absent if it is not known. */
  readonly fromMs?: number | undefined;
  readonly untilMs?: number | undefined;
}

export function transcriptEntity({ id, text, channelId, fromMs, untilMs }: SaidWords): object {
  return {
    type: "transcript",
    data: {
      id,
      channelId,
      isFinal: true,
      ...(fromMs === undefined ? {} : { offset: duration(fromMs) }),
      ...(fromMs === undefined || untilMs === undefined ? {} : { duration: duration(untilMs - fromMs) }),
      // The field is mandatory, and the recogniser reports no confidence.
      alternatives: [{ confidence: 1, interpretations: [{ type: "display", transcript: text }] }],
    },
  };
}

function duration(ms: number): string {
  return `PT${(Math.max(0, ms) / 1000).toFixed(3)}S`;
}
