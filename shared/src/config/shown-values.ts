/** Decides how much of a value is shown to those who may see that it is set. Pure. */

/** Shown in place of a value that is set but hidden. */
export const hidden = "…";

/** Access keys and signatures in addresses are in the query. */
export function withoutQuery(url: string): string {
  const at = url.search(/[?#]/);
  return at === -1 ? url : `${url.slice(0, at)}?${hidden}`;
}
