/** What may be repeated of what somebody else says: single words and ids, in a form that holds no sentence and no number of anybody. */

/** `content_filter`, `ECONNREFUSED`, `InvalidArgument`; of digits no more than a version has. */
const wordForm = /^(?!.*\d{4})[A-Za-z][\w.-]{0,63}$/;
/** A UUID, or what begins with the word that OpenAI puts before its own. */
const requestIdForm = /^(req_[0-9a-f]{16,64}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;

export function wordOf(value: unknown): string | undefined {
  return typeof value === "string" && wordForm.test(value) ? value : undefined;
}

export function requestIdOf(value: unknown): string | undefined {
  return typeof value === "string" && requestIdForm.test(value) ? value : undefined;
}
