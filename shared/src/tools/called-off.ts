/** Why a tool's `signal` was aborted: it took too long, which the log should show, or its result is no longer needed. */

export const tookTooLong = new DOMException("the tool took too long", "TimeoutError");
export const calledOff = new DOMException("the tool was called off", "AbortError");
/** Ends whatever still listens for the end of a call. */
export const callIsOver = new DOMException("the tool is done", "AbortError");

/** Whether a tool's failure was caused by its cancellation, and so says nothing about the tool. */
export function isCalledOff({ aborted, reason }: AbortSignal): boolean {
  return aborted && reason !== tookTooLong;
}
