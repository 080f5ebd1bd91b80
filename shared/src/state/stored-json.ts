import { z } from "zod";

/** The type of what a schema reads: what is stored is changed by writing it again, never in place. */
export type Stored<Schema extends z.ZodType> = Unchanging<z.output<Schema>>;

type Unchanging<Value> = Value extends readonly (infer Item)[]
  ? readonly Unchanging<Item>[]
  : Value extends object
    ? { readonly [Key in keyof Value]: Unchanging<Value[Key]> }
    : Value;

/** Reads a stored record, or finds that there is none. */
export function readerOf<T>(schema: z.ZodType<T>) {
  const json = jsonOf(schema);
  return (text: string | undefined): T | undefined => (text === undefined ? undefined : json.parse(text));
}

/** Parses JSON text into a value of the schema; stored data is trusted no more than received data. */
export function jsonOf<T>(schema: z.ZodType<T>): z.ZodType<T, string> {
  return z
    .string()
    .transform((text, context): unknown => {
      try {
        return JSON.parse(text);
      } catch {
        // `safeParse` would not catch an exception here, but it reports an issue.
        context.addIssue({ code: "custom", message: "not JSON" });
        return z.NEVER;
      }
    })
    .pipe(schema);
}
