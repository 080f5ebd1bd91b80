/** What an agent must not say. Checked on every clause before it is spoken, so the checks are patterns, not models. */
export interface Guardrail {
  readonly name: string;
  readonly pattern: TextPattern;
  readonly action:
    | { readonly type: "replace"; readonly with: string }
    /** Says this instead, and nothing more in this reply. */
    | { readonly type: "stop"; readonly say: string };
}

/** A global regular expression, or what finds things in the same way. */
export interface TextPattern {
  /** Steps of the compiled pattern, where it came from somebody whom nobody has to trust. */
  readonly steps?: number;
  [Symbol.matchAll](text: string): Iterable<{ readonly 0: string; readonly index?: number | undefined }>;
}
