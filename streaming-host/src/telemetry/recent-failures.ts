/** The latest failures of services that this host depends on, for operators who look for a problem's cause. */
import { isDeepStrictEqual } from "node:util";
import type { Clock } from "@voice/shared/platform/clock";
import { isOpaqueSessionId } from "@voice/shared/platform/ids";
import type { UpstreamFailure } from "@voice/shared/state/ports/host-registry";

/** Few, because they are sent with every heartbeat. */
const kept = 10;

/** Reasons are a few words, but those of an operator's own provider may be anything. */
const longestReason = 200;

export class RecentFailures {
  readonly #clock: Clock;
  #latest: readonly UpstreamFailure[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The latest first. */
  get list(): readonly UpstreamFailure[] {
    return this.#latest;
  }

  /**
   * `reason`: as in `VoiceError`, for operators. What fails again in the same way is one failure, at its latest time: attempts to
   * reach a service that is away would soon be all that is remembered.
   */
  note({ part, code, reason, sessionId }: Omit<UpstreamFailure, "atMs">): void {
    const failure: UpstreamFailure = {
      part,
      code,
      ...(reason !== undefined && { reason: reason.slice(0, longestReason) }),
      ...(sessionId !== undefined && isOpaqueSessionId(sessionId) && { sessionId }),
      atMs: this.#clock.wallNow(),
    };
    const others = this.#latest.filter((known) => !isDeepStrictEqual({ ...known, atMs: failure.atMs }, failure));
    this.#latest = [failure, ...others].slice(0, kept);
  }
}
