/** A page that a proxy, a sign-in or a wrong address answers with 200 in the place of what was asked for. */
export function isWebPage(body: string): boolean {
  return /^\s*<(?:!doctype html|html)\b/i.test(body);
}
