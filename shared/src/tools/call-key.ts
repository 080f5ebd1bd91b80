/** What makes two calls of tools the same: the name, and the arguments in whatever order their keys were written. Pure. */
import { sortedJson } from "../platform/sorted-json.ts";

export function callKey(name: string, args: unknown): string {
  return `${name} ${sortedJson(args)}`;
}
