/** Objects merge key by key; anything else, arrays included, replaces; `null` removes what the base had. */
import { isPlainObject, type PlainObject } from "../platform/plain-object.ts";

export function deepMerge(base: PlainObject, over: PlainObject): PlainObject {
  const merged: Record<string, unknown> = { ...base };
  for (const [key, value] of Object.entries(over)) {
    const present = merged[key];
    if (value === null) delete merged[key];
    else if (isPlainObject(present) && isPlainObject(value)) merged[key] = deepMerge(present, value);
    else if (value !== undefined) merged[key] = value;
  }
  return merged;
}
