/**
 * What may be quoted from a foreign message: single words and ids, in forms that cannot contain a sentence or a phone
 * number.
 */

/** `content_filter`, `ECONNREFUSED`, `InvalidArgument`; at most as many digits as a version number has. */
const wordForm = /^(?!.*\d{4})[A-Za-z][\w.-]{0,63}$/;
/** A UUID, or an id with OpenAI's prefix. */
const requestIdForm = /^(req_[0-9a-f]{16,64}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;

export function wordOf(value: unknown): string | undefined {
  return typeof value === "string" && wordForm.test(value) ? value : undefined;
}

export function requestIdOf(value: unknown): string | undefined {
  return typeof value === "string" && requestIdForm.test(value) ? value : undefined;
}
