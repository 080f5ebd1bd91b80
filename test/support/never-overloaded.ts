/** Callers, judges and a browser share the test's processor: that the service's loop is late says nothing about the service. */
const farTooLateMs = 60_000;

/** For settings that are still to be read from an environment. */
export const neverOverloaded = { MAX_EVENT_LOOP_DELAY: String(farTooLateMs) };

export const withoutOverload = { maxEventLoopDelayMs: farTooLateMs };
