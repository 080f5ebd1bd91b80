/**
 * Audit records in append blobs, `<day>/<process>.jsonl`: each process appends to a blob of its own. With an immutability policy on the
 * container that allows protected appends (infra/modules/storage.bicep), nobody can change or delete what was written.
 */
import { randomUUID } from "node:crypto";
import { keepFirstSuccess } from "../platform/keep-first-success.ts";
import { RecentlyUsed } from "../platform/recently-used.ts";
import { limitOf, openContainer, type BlobAccess } from "../recordings/blob-container.ts";
import { translateErrors } from "../recordings/storage-errors.ts";
import type { AuditArchive } from "./audit-trail.ts";

export interface BlobAuditArchiveOptions {
  readonly access: BlobAccess;
  readonly container: string;
  readonly wallNow: () => number;
}

const { translated } = translateErrors(() => false);

export function createBlobAuditArchive({ access, container: name, wallNow }: BlobAuditArchiveOptions): AuditArchive {
  const container = openContainer(access, name);
  const limit = limitOf();
  const processId = randomUUID();
  // The blobs of the latest days, each created once; two are in use around midnight.
  const made = new RecentlyUsed<() => Promise<unknown>>(2);
  const blobOf = (day: string) => container.getAppendBlobClient(`${day}/${processId}.jsonl`);

  async function makeOnce(day: string): Promise<void> {
    const known = made.get(day);
    const make =
      known ??
      keepFirstSuccess(async () => {
        await container.createIfNotExists(limit());
        return blobOf(day).createIfNotExists({
          blobHTTPHeaders: { blobContentType: "application/x-ndjson" },
          ...limit(),
        });
      });
    if (known === undefined) made.set(day, make, 1);
    await make();
  }
  return {
    async append(lines) {
      const day = new Date(wallNow()).toISOString().slice(0, 10);
      await translated(async () => {
        await makeOnce(day);
        await blobOf(day).appendBlock(lines, Buffer.byteLength(lines), limit());
      });
    },
  };
}
