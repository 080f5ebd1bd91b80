/** What makes two calls of tools the same: the name, and the arguments in whatever order their keys were written. Pure. */
export function callKey(name: string, args: unknown): string {
  return `${name} ${JSON.stringify(args, sortedKeys)}`;
}

function sortedKeys(_key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
