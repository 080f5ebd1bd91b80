/** What code outside the service may write into the log. */
import { wordOf } from "../../platform/foreign-facts.ts";

type Attributes = Readonly<Record<string, number | boolean | string>>;

/** Text with several words, or a number with a plus sign, is likely to be personal data. */
export function logAttributes(attributes: Attributes): Attributes {
  return Object.fromEntries(
    Object.entries(attributes).map(([key, value]) => [
      key,
      typeof value === "string" ? (wordOf(value) ?? "(left out)") : value,
    ]),
  );
}
