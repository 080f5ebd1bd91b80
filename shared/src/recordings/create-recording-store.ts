/** Which storage the settings mean. The cloud's client is large and imported only where it is configured. */
import type { Settings } from "../config/settings.ts";
import type { EntraCredential } from "../platform/entra-credential.ts";
import type { BlobAccess, BlobRecordingStoreOptions } from "./blob-recording-store.ts";
import { createFolderRecordingStore } from "./folder-recording-store.ts";
import type { RecordingStore } from "./recording-store.ts";

export interface BlobModule {
  readonly createBlobRecordingStore: (options: BlobRecordingStoreOptions) => RecordingStore;
}

/** Production does not fall back to a folder of a machine that may be gone tomorrow. */
export function canRecord(settings: Settings): boolean {
  return hasBlobStorage(settings) || settings.environment !== "production";
}

/** Whether somebody counts on recordings: all conversations are recorded, or a storage was set up for those that ask. */
export function countsOnRecordings(settings: Settings): boolean {
  return settings.recordingEnabled || hasBlobStorage(settings);
}

/** Undefined where nothing can be recorded. */
export async function createRecordingStore(
  settings: Settings,
  credential: EntraCredential,
  loadBlob: () => Promise<BlobModule>,
): Promise<RecordingStore | undefined> {
  if (!canRecord(settings)) return undefined;
  const access = blobAccess(settings, credential);
  if (access === undefined) return createFolderRecordingStore(settings.recordingDir);
  const { createBlobRecordingStore } = await loadBlob();
  return createBlobRecordingStore({ access, container: settings.recordingContainer });
}

function hasBlobStorage({ storageConnectionString, storageEndpoint }: Settings): boolean {
  return storageConnectionString !== undefined || storageEndpoint !== undefined;
}

function blobAccess(settings: Settings, credential: EntraCredential): BlobAccess | undefined {
  const { storageConnectionString: connectionString, storageEndpoint: endpoint } = settings;
  if (connectionString !== undefined) return { connectionString };
  return endpoint === undefined ? undefined : { endpoint, credential };
}
