/**
 * The abort reason for everything that works for a cancelled reply. Shared, because creating an exception for every barge-in would cost 7
 * to 20 µs for an unused stack trace.
 */
export const replyCancelled = new DOMException("the reply was cancelled", "AbortError");
