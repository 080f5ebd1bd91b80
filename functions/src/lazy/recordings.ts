/** The client of Blob storage. Large, and used by few requests: imported at the first of them, where it is configured. */
export { createBlobRecordingStore } from "@voice/shared/recordings/blob-recording-store";
