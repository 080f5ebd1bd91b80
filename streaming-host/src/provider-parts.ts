/** What every provider is made from. */
import type { Settings } from "@voice/shared/config/settings";
import type { Clock } from "@voice/shared/platform/clock";
import type { EntraCredential } from "@voice/shared/platform/entra-credential";
import type { Logger } from "@voice/shared/platform/logger";

export interface ProviderParts {
  readonly settings: Settings;
  readonly identity: EntraCredential;
  readonly clock: Clock;
  readonly logger: Logger;
}
