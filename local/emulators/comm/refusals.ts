/** How the network reports that a call was not answered. */

/** SIP's results for a call that ended before it began, each with the subcode that the service adds. */
export const refusals = {
  busy: { code: 486, message: "Busy Here" },
  "no-answer": { code: 480, message: "Temporarily Unavailable" },
  declined: { code: 603, message: "Decline" },
  unknown: { code: 404, message: "Not Found" },
} as const;

export type Refusal = keyof typeof refusals;

/** A phone that was not answered. */
export function aborted(signal: AbortSignal): Promise<"no-answer"> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve("no-answer");
    else signal.addEventListener("abort", () => resolve("no-answer"), { once: true });
  });
}
