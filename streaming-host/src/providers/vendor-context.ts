/** What a vendor's client is made with, besides the settings. */
import type { TokenSource } from "@voice/shared/platform/access-token";
import type { Clock } from "@voice/shared/platform/clock";
import type { Logger } from "@voice/shared/platform/logger";

export interface VendorContext {
  /** Tokens of the process' identity. */
  readonly tokens: TokenSource;
  readonly clock: Clock;
  readonly logger: Logger;
}
