/** Creates the configured storage. The cloud's client is large, so it is imported only if needed. */
import { partsOf, withIdentity } from "../config/parts.ts";
import type { Settings } from "../config/settings.ts";
import type { EntraCredential } from "../platform/entra-credential.ts";
import type { BlobRecordingStoreOptions } from "./blob-recording-store.ts";
import { createFolderRecordingStore } from "./folder-recording-store.ts";
import type { RecordingStore } from "./recording-store.ts";

export interface BlobModule {
  readonly createBlobRecordingStore: (options: BlobRecordingStoreOptions) => RecordingStore;
}

export function canRecord(settings: Settings): boolean {
  return partsOf(settings).recordings.kind !== "none";
}

/**
 * Whether recordings are expected: all conversations are recorded, or a storage is configured for those that ask for
 * it.
 */
export function countsOnRecordings(settings: Settings): boolean {
  return settings.recordingEnabled || partsOf(settings).recordings.kind === "blob";
}

/** Undefined if nothing can be recorded. */
export async function createRecordingStore(
  settings: Settings,
  identity: EntraCredential,
  loadBlob: () => Promise<BlobModule>,
): Promise<RecordingStore | undefined> {
  const { recordings } = partsOf(settings);
  if (recordings.kind === "none") return undefined;
  if (recordings.kind === "folder") return createFolderRecordingStore(recordings.dir);
  const { createBlobRecordingStore } = await loadBlob();
  const { access, container } = recordings;
  return createBlobRecordingStore({ access: withIdentity(access, identity), container });
}
