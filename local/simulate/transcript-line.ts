/** A line of a simulated session, in the order in which things happened. */
export type TranscriptLine =
  | { readonly kind: "caller"; readonly text: string }
  | {
      readonly kind: "agent";
      readonly agent: string;
      readonly text: string;
      /** From the request to the model's first word; undefined where no model was asked. */
      readonly latencyMs?: number | undefined;
    }
  | {
      readonly kind: "tool";
      readonly name: string;
      readonly args: Readonly<Record<string, unknown>>;
      readonly result: unknown;
      readonly hasSucceeded: boolean;
    };
