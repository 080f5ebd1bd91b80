/** The input of the checks. */
import type { Catalog } from "@voice/shared/catalog/catalog";
import type { Parts } from "@voice/shared/config/parts";
import type { Settings } from "@voice/shared/config/settings";
import type { Clock } from "@voice/shared/platform/clock";
import type { EntraCredential } from "@voice/shared/platform/entra-credential";

export interface DoctorContext {
  readonly settings: Settings;
  readonly parts: Parts;
  readonly catalog: Catalog;
  readonly identity: EntraCredential;
  readonly clock: Clock;
}
