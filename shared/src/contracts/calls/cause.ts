/**
 * Whom or what a report or a refusal of a telephone service blames. Each service's codes are translated into these where they come in, and
 * decide what whoever placed the call can do about it.
 */
export const causes = [
  /** The far end's network says that there is no such number. */
  "number",
  "busy",
  "declined",
  "no-answer",
  /** Ended by whoever placed the call, before anybody answered. */
  "cancelled",
  /** The service does not find something that a request or a call refers to, and does not say what. */
  "not-found",
  /** Audio could not be exchanged, or stopped: firewalls, relays, lost connections. */
  "network",
  "permission",
  "configuration",
  "limit",
  /** A request does not fit the service or the state of the call. */
  "request",
  "service",
  /** Not a failure. */
  "none",
] as const;

export type Cause = (typeof causes)[number];

export interface Meaning {
  readonly cause: Cause;
  /** What happened, as a clause for an operator. */
  readonly about: string;
  /** The far end's network said so, and not the service itself. */
  readonly isOfFarEnd?: boolean | undefined;
}
