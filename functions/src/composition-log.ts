/**
 * Logs why the app cannot be composed, in one line that names every wrong setting. Every request tries again and a probe repeats every few
 * seconds, so the same reason is logged only once.
 */
import { CatalogError } from "@voice/shared/catalog/problems";
import { ConfigurationError } from "@voice/shared/config/configuration-error";
import { withErrorsForLog } from "@voice/shared/platform/error-for-log";
import type { Logger } from "@voice/shared/platform/logger";

export function createCompositionLog() {
  let reason: string | undefined;
  let requests = 0;
  return {
    failed(logger: Pick<Logger, "error">, error: unknown): void {
      requests++;
      const fields =
        error instanceof ConfigurationError || error instanceof CatalogError ? { problems: error.problems } : { error };
      const now = JSON.stringify(withErrorsForLog(fields), withoutOccurrence);
      if (now === reason) return;
      reason = now;
      logger.error(fields, "the app could not be composed");
    },
    worked(logger: Pick<Logger, "info">): void {
      if (requests === 0) return;
      logger.info({ requests }, "the app is composed now; requests before could not be answered");
      reason = undefined;
      requests = 0;
    },
  };
}

/**
 * A replacer that leaves out what differs between occurrences of the same failure: where the attempt came from, and a vendor's id of it.
 */
function withoutOccurrence(key: string, value: unknown): unknown {
  return key === "stack" || key === "requestId" ? undefined : value;
}
