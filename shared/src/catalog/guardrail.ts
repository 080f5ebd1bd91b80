/**
 * What an agent must not say. Every clause is checked before it is spoken, so the checks are patterns and not models.
 */
export interface Guardrail {
  readonly name: string;
  readonly pattern: TextPattern;
  readonly action:
    | { readonly type: "replace"; readonly with: string }
    /** Speaks this text instead, and nothing more in this reply. */
    | { readonly type: "stop"; readonly say: string };
}

/** A global regular expression, or an object with the same matching interface. */
export interface TextPattern {
  /** The number of steps of the compiled pattern, if it comes from an untrusted client. */
  readonly steps?: number;
  [Symbol.matchAll](text: string): Iterable<{ readonly 0: string; readonly index?: number | undefined }>;
}
