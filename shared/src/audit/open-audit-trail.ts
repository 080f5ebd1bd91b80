/** The audit trail of a process, as the settings have it. */
import { partsOf, withIdentity } from "../config/parts.ts";
import type { Settings } from "../config/settings.ts";
import type { Clock } from "../platform/clock.ts";
import type { EntraCredential } from "../platform/entra-credential.ts";
import { keepFirstSuccess } from "../platform/keep-first-success.ts";
import type { Logger } from "../platform/logger.ts";
import type { AuditStore } from "../state/ports/audit-store.ts";
import { createAuditTrail, type AuditArchive, type AuditTrail } from "./audit-trail.ts";
import type { BlobAuditArchiveOptions } from "./blob-audit-archive.ts";

export interface AuditTrailParts {
  readonly store: AuditStore;
  readonly identity: EntraCredential;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Called with the first record, because the cloud's client is large. */
  readonly loadBlob: () => Promise<{ createBlobAuditArchive(options: BlobAuditArchiveOptions): AuditArchive }>;
}

export function openAuditTrail(
  settings: Settings,
  { store, identity, clock, logger, loadBlob }: AuditTrailParts,
): AuditTrail {
  const { auditContainer: container, auditRetentionDays: retentionDays } = settings;
  const { recordings } = partsOf(settings);
  if (container === undefined || recordings.kind !== "blob")
    return createAuditTrail({ store, retentionDays, clock, logger });
  const access = withIdentity(recordings.access, identity);
  const archive = keepFirstSuccess(async () => {
    const { createBlobAuditArchive } = await loadBlob();
    return createBlobAuditArchive({ access, container, wallNow: () => clock.wallNow() });
  });
  return createAuditTrail({ store, archive, retentionDays, clock, logger });
}
