/** Informs the operator at the start that access is open to everybody, or that a wrong setting denies it to everybody. */
import type { Settings } from "../config/settings.ts";
import type { Logger } from "../platform/logger.ts";
import { authConfigurationProblem } from "./auth-configuration.ts";
import { openAccessWarning } from "./open-access.ts";

/** Neither ends the process: open access may be intended, and readiness has to be available to report a wrong id. */
export function reportAccess(settings: Settings, logger: Pick<Logger, "warn" | "error">): void {
  const warning = openAccessWarning(settings);
  if (warning !== undefined) logger.warn({}, warning);
  const problem = authConfigurationProblem(settings);
  if (problem !== undefined) logger.error({ problem }, "authentication is on but cannot work, so nobody gets in");
}
