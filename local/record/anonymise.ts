/**
 * Takes secrets and people's words out of a message, and leaves its form: which fields there are, of which types, and the words
 * of the protocol itself.
 */

/** Fields whose text is always somebody's, whatever it looks like. */
const wordFields: ReadonlySet<string> = new Set(
  (
    "text transcript content instructions arguments refusal input reasoning reasoning_content prompt description output message " +
    "DisplayText Text Display Lexical ITN MaskedITN"
  ).split(" "),
);

/** Base64 of this length or more is audio. */
const audioCharacters = 64;
const base64 = /^[A-Za-z0-9+/]+={0,2}$/;
/** The words of a protocol: names of types, states, voices, models and dates. */
const protocolWord = /^[\w.:/+-]{1,64}$/;
const idField = /(?:^|_)id$|Id$|Tag$/;

export class Anonymiser {
  /** The same id is the same placeholder throughout a recording, because messages refer to each other. */
  readonly #ids = new Map<string, string>();
  readonly #secrets: readonly string[];

  /** `secrets`: keys and tokens, which are taken out wherever they stand. */
  constructor(secrets: readonly string[]) {
    this.#secrets = secrets.filter((secret) => secret.length >= 4);
  }

  clean(value: unknown, field = ""): unknown {
    if (typeof value === "string") return this.#cleanText(value, field);
    if (Array.isArray(value)) return value.map((item: unknown) => this.clean(item, field));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, this.clean(item, key)]));
  }

  #cleanText(text: string, field: string): string {
    if (text === "") return text;
    if (this.#secrets.some((secret) => text.includes(secret))) return "(secret)";
    if (idField.test(field)) return this.#placeholderOf(text);
    if (text.length >= audioCharacters && base64.test(text)) return `(${text.length} characters of base64)`;
    // `delta` is audio, arguments or words.
    if (field === "delta" || wordFields.has(field) || !protocolWord.test(text)) return `(${text.length} characters)`;
    return text;
  }

  #placeholderOf(id: string): string {
    const known = this.#ids.get(id) ?? `id-${this.#ids.size + 1}`;
    this.#ids.set(id, known);
    return known;
  }
}
