/** How the network says that nobody has taken a call. */

/** SIP's words for how a call ends without having begun, with the number the service adds to them. */
export const refusals = {
  busy: { code: 486, message: "Busy Here" },
  "no-answer": { code: 480, message: "Temporarily Unavailable" },
  declined: { code: 603, message: "Decline" },
  unknown: { code: 404, message: "Not Found" },
} as const;

export type Refusal = keyof typeof refusals;

/** A phone that was not picked up. */
export function aborted(signal: AbortSignal): Promise<"no-answer"> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve("no-answer");
    else signal.addEventListener("abort", () => resolve("no-answer"), { once: true });
  });
}
