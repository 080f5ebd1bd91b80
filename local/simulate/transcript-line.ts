/** A line of a simulated session, in the order in which things happened. */
export type TranscriptLine =
  | {
      readonly kind: "caller";
      readonly text: string;
      /** What the agents' recogniser made of it; undefined where it was typed. */
      readonly heard?: string | undefined;
    }
  | {
      readonly kind: "agent";
      readonly agent: string;
      readonly text: string;
      /**
       * From the request to the model's first word, or where the caller speaks, from their last sound to the agent's first.
       * Undefined where no model was asked.
       */
      readonly latencyMs?: number | undefined;
    }
  | {
      readonly kind: "tool";
      readonly name: string;
      readonly args: Readonly<Record<string, unknown>>;
      readonly result: unknown;
      readonly hasSucceeded: boolean;
    };

/** Whether the agents received other words than the caller spoke. Letter case and punctuation do not matter. */
export function isMisheard({ text, heard }: { readonly text: string; readonly heard?: string | undefined }): boolean {
  const words = (of: string): string =>
    of
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
      .trim();
  return heard !== undefined && words(heard) !== words(text);
}
