/** The latest failures of services that this host depends on, for operators who investigate a problem. */
import { isDeepStrictEqual } from "node:util";
import type { Clock } from "@voice/shared/platform/clock";
import { isOpaqueSessionId } from "@voice/shared/platform/ids";
import type { UpstreamFailure } from "@voice/shared/state/ports/host-registry";

/** The number of failures that are retained. Few, because every heartbeat sends them. */
const kept = 10;

/** Reasons are a few words, but an operator's own provider may report anything. */
const longestReason = 200;

export class RecentFailures {
  readonly #clock: Clock;
  #latest: readonly UpstreamFailure[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get list(): readonly UpstreamFailure[] {
    return this.#latest;
  }

  /**
   * `reason`: as in `VoiceError`, for operators. A failure that repeats in the same way is one entry with the latest time: otherwise,
   * attempts to reach an unreachable service would soon fill the list.
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
