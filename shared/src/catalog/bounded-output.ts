/** A template's output, which throws when it exceeds its limit, so that loops in a template are bounded. */
export class BoundedOutput {
  /** All that was written, as text. */
  buffer = "";
  #lone: { readonly value: unknown } | undefined;
  #isEmpty = true;
  readonly #maxCharacters: number;

  constructor(maxCharacters: number) {
    this.#maxCharacters = maxCharacters;
  }

  /** The value itself with its own type if it is the only output; otherwise the text. */
  get value(): unknown {
    return this.#lone === undefined ? this.buffer : this.#lone.value;
  }

  write(value: unknown): void {
    const text = this.buffer + textOf(value);
    if (text.length > this.#maxCharacters) throw new Error("template output limit exceeded");
    this.#lone = this.#isEmpty ? { value } : undefined;
    this.#isEmpty = false;
    this.buffer = text;
  }
}

/** Formats values as Liquid does: missing ones as empty text, lists as their concatenated items, objects as a placeholder. */
function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (value === undefined || value === null) return "";
  if (Array.isArray(value)) return value.map(textOf).join("");
  return typeof value === "number" || typeof value === "boolean" || typeof value === "bigint"
    ? String(value)
    : "[object Object]";
}
