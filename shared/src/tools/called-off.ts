/** Ends whatever still listens for the end of a call. */

export const tookTooLong = new DOMException("the tool took too long", "TimeoutError");
export const calledOff = new DOMException("the tool was called off", "AbortError");
/** Whether a tool's failure was caused by its cancellation, and so says nothing about the tool. */
export const callIsOver = new DOMException("the tool is done", "AbortError");

/** Whether a tool's failure says nothing about the tool. */
export function isCalledOff({ aborted, reason }: AbortSignal): boolean {
  return aborted && reason !== tookTooLong;
}
