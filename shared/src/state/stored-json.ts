import { z } from "zod";

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
