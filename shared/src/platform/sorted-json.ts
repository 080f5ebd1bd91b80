/** JSON in which the keys of every object are sorted, so that equal values have equal texts. Pure. */
import { isPlainObject } from "./plain-object.ts";

export function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    isPlainObject(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  );
}
