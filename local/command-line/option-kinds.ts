/** Kinds of options that several tools take. */
import { z } from "zod";

export function wholeNumber(least: number, most: number) {
  const expected = `expects a whole number from ${least} to ${most}`;
  return z
    .string()
    .regex(/^\d+$/, expected)
    .transform(Number)
    .pipe(z.int(expected).min(least, expected).max(most, expected));
}

/** Some of these names, with commas between them. */
export function namesOf<const Name extends string>(known: readonly Name[]) {
  return z.string().transform((text, context): readonly Name[] => {
    const named = text.split(",").map((name) => name.trim());
    const unknown = named.filter((name) => !known.some((one) => one === name));
    if (unknown.length === 0) return named.flatMap((name) => known.find((one) => one === name) ?? []);
    context.addIssue({ code: "custom", message: `knows no ${unknown.join(", ")}, but ${known.join(", ")}` });
    return z.NEVER;
  });
}
