/** Runs the checks of GET /readiness concurrently, each with its own time-out. */
import type { readinessResponse, ServiceCheck } from "@voice/shared/contracts/http/health";
import type { Clock } from "@voice/shared/platform/clock";
import { VoiceError } from "@voice/shared/platform/errors";
import { withinTime } from "@voice/shared/platform/within-time";
import type { z } from "zod";

export interface ReadinessCheck {
  readonly component: string;
  /** Without it the service cannot hold a conversation: `not_ready` instead of `degraded`. */
  readonly isCritical: boolean;
  readonly timeoutMs: number;
  /** Derived from the store's records only: while the store is unreachable, this may still work. */
  readonly isFromStore?: boolean;
  /**
   * Resolves to the message for the healthy case. Rejects with `Unhealthy`, or with another error if the check itself
   * failed.
   */
  run(): Promise<string>;
}

/** What is wrong, in words for the operator and without secrets. */
export class Unhealthy extends Error {
  override readonly name = "Unhealthy";
}

type Readiness = Pick<z.infer<typeof readinessResponse>, "status" | "checks" | "response_time_ms">;

export async function checkReadiness(checks: readonly ReadinessCheck[], clock: Clock): Promise<Readiness> {
  const startedAt = clock.now();
  const results = await Promise.all(checks.map(async (check) => runCheck(check, clock)));
  const failed = checks.filter((_, index) => results[index]?.status === "unhealthy");
  return { status: judge(failed), checks: results, response_time_ms: roundMs(clock.now() - startedAt) };
}

function judge(failed: readonly ReadinessCheck[]): Readiness["status"] {
  if (failed.some((check) => check.isCritical)) return "not_ready";
  return failed.length > 0 ? "degraded" : "ready";
}

export function roundMs(ms: number): number {
  return Math.round(ms * 100) / 100;
}

async function runCheck(check: ReadinessCheck, clock: Clock): Promise<ServiceCheck> {
  const startedAt = clock.now();
  const result = (status: ServiceCheck["status"], details: string | null, error: string | null): ServiceCheck => ({
    component: check.component,
    status,
    check_time_ms: roundMs(clock.now() - startedAt),
    details,
    error,
  });
  try {
    return result("healthy", await withinTime(clock, check.timeoutMs, async () => check.run()), null);
  } catch (error) {
    return result("unhealthy", null, reasonOf(error, check));
  }
}

function reasonOf(error: unknown, { timeoutMs, isFromStore }: ReadinessCheck): string {
  if (error instanceof Unhealthy) return error.message;
  if (!(error instanceof VoiceError)) return "the check failed";
  const { code } = error;
  if (code !== "upstream_timeout" && code !== "cache_connection_failed") return "the check failed";
  if (isFromStore === true) return "not known, because the state store, where hosts report it, does not answer";
  if (code === "upstream_timeout") return `no answer within ${timeoutMs} ms`;
  return error.reason ?? "the state store is unreachable";
}
