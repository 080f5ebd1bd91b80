/** How much of a value may be read by those who may see that it is set. Pure. */

/** There is something, and it is not shown. */
export const hidden = "…";

/** Access keys and signatures of addresses are in their queries. */
export function withoutQuery(url: string): string {
  const at = url.search(/[?#]/);
  return at === -1 ? url : `${url.slice(0, at)}?${hidden}`;
}
