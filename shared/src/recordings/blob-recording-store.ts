/**
 * Recordings in Azure Blob storage: `<session>/<recording>.wav` with `.json` and `.vtt` beside it. The WAV is a block blob
 * whose header is a block of its own: each write stages the new samples and a new header and commits both, so that what
 * can be read is a whole WAV file at every moment. (An append blob could never take its first bytes back.)
 */
import { RestError } from "@azure/storage-blob";
import type { BlobRequestConditions, BlockBlobClient, ContainerClient } from "@azure/storage-blob";
import { VoiceError } from "../platform/errors.ts";
import { keepFirstSuccess } from "../platform/keep-first-success.ts";
import { limitOf, openContainer, type BlobAccess, type Limit } from "./blob-container.ts";
import { fileName, folderName, recordingIdIn } from "./recording-name.ts";
import type { FileKind } from "./recording-name.ts";
import type {
  RecordingFormat,
  RecordingId,
  RecordingStore,
  RecordingWriter,
  WhichRecordings,
} from "./recording-store.ts";
import { translateErrors } from "./storage-errors.ts";
import { describeWav, wavHeader, wavHeaderBytes } from "./wav-header.ts";

export interface BlobRecordingStoreOptions {
  readonly access: BlobAccess;
  readonly container: string;
  readonly flushIntervalMs?: number;
  /** The time limit for a request, all its attempts together. */
  readonly requestTimeoutMs?: number;
}

/** Three requests each time. A blob has at most 50,000 blocks: 34 hours at this pace. */
const defaultFlushIntervalMs = 2500;
/** By then the request has long timed out; without a limit, checks of a hanging storage would pile up. */
const checkTimeoutMs = 3000;

const contentTypes: Readonly<Record<FileKind, string>> = {
  wav: "audio/wav",
  json: "application/json",
  vtt: "text/vtt",
};

/** 412: the blob that we last wrote no longer exists. */
const { ifThere, translated } = translateErrors((error) => statusOf(error) === 404 || statusOf(error) === 412);

export function createBlobRecordingStore(options: BlobRecordingStoreOptions): RecordingStore {
  const limit = limitOf(options.requestTimeoutMs);
  const container = openContainer(options.access, options.container);
  const blobOf = (id: RecordingId, kind: FileKind): BlockBlobClient =>
    container.getBlockBlobClient(`${folderName(id.sessionId)}/${fileName(id, kind)}`);
  const ready = keepFirstSuccess(() => container.createIfNotExists(limit()));

  return {
    kind: "blob",
    flushIntervalMs: options.flushIntervalMs ?? defaultFlushIntervalMs,
    create: (id, format) =>
      translated(async () => {
        await ready();
        const audio = createGrowingWav(blobOf(id, "wav"), format, limit);
        await audio.append(new Uint8Array(0));
        return createWriter(audio, blobOf(id, "json"), blobOf(id, "vtt"), limit);
      }),
    find: (id) =>
      ifThere(async () => {
        const head = await blobOf(id, "wav").download(0, wavHeaderBytes, limit());
        const fileBytes = Number(head.contentRange?.split("/")[1] ?? head.contentLength ?? 0);
        return describeWav(await collect(head.readableStreamBody), fileBytes);
      }),
    read: (id, start, end) =>
      translated(() => blobOf(id, "wav").downloadToBuffer(wavHeaderBytes + start, end - start, limit())),
    transcript: (id) =>
      ifThere(async () => (await blobOf(id, "json").downloadToBuffer(0, undefined, limit())).toString("utf8")),
    check: () =>
      translated(async () => {
        // A missing container is not a fault: the first recording creates it.
        await container.exists({ abortSignal: AbortSignal.timeout(checkTimeoutMs) });
      }),
    deleteAll: (sessionId, which = () => true) =>
      translated(() => deleteFolder(container, `${folderName(sessionId)}/`, which, limit)),
  };
}

type GrowingWav = ReturnType<typeof createGrowingWav>;

/** The audio of one recording: the blocks committed last, and the ETag that resulted. */
function createGrowingWav(blob: BlockBlobClient, format: RecordingFormat, limit: Limit) {
  const committed: string[] = [];
  let dataBytes = 0;
  let commits = 0;
  let tag: string | undefined;

  async function commit(blocks: string[], fileBytes: number): Promise<string | undefined> {
    try {
      const { etag } = await blob.commitBlockList(blocks, {
        conditions: unchangedSince(tag),
        blobHTTPHeaders: { blobContentType: contentTypes.wav },
        ...limit(),
      });
      return etag;
    } catch (error) {
      if (statusOf(error) !== 412 && statusOf(error) !== 409) throw error;
      // Deleted meanwhile, or committed by a request whose response was lost.
      const { contentLength, etag } = await blob.getProperties(limit());
      if (contentLength !== fileBytes) throw error;
      return etag;
    }
  }

  return {
    exists: () => blob.exists(limit()),
    async append(pcm: Uint8Array): Promise<void> {
      const longer = dataBytes + pcm.length;
      const header = blockId("h", (commits += 1));
      const newest = pcm.length === 0 ? [] : [blockId("d", committed.length)];
      await Promise.all([
        blob.stageBlock(header, wavHeader(format, longer), wavHeaderBytes, limit()),
        ...newest.map((block) => blob.stageBlock(block, pcm, pcm.length, limit())),
      ]);
      tag = await commit([header, ...committed, ...newest], wavHeaderBytes + longer);
      committed.push(...newest);
      dataBytes = longer;
    },
  };
}

function createWriter(
  audio: GrowingWav,
  transcript: BlockBlobClient,
  captions: BlockBlobClient,
  limit: Limit,
): RecordingWriter {
  const tags = new Map<BlockBlobClient, string | undefined>();

  async function replace(blob: BlockBlobClient, kind: FileKind, text: string): Promise<void> {
    const isFirst = !tags.has(blob);
    // A first write requires that the audio exists; if it does not, the session was deleted.
    if (isFirst && !(await audio.exists())) throw new VoiceError("not_found", "the recording was deleted");
    const body = Buffer.from(text);
    try {
      const { etag } = await blob.upload(body, body.length, {
        conditions: isFirst ? {} : unchangedSince(tags.get(blob)),
        blobHTTPHeaders: { blobContentType: contentTypes[kind] },
        ...limit(),
      });
      tags.set(blob, etag);
    } catch (error) {
      if (statusOf(error) !== 412) throw error;
      // Deleted, or replaced by a request whose response was lost; the next attempt starts from the current state.
      tags.set(blob, (await blob.getProperties(limit())).etag);
      throw new VoiceError("upstream_unavailable", "what stands beside a recording was replaced", { cause: error });
    }
  }

  return {
    append: (pcm) => translated(() => audio.append(pcm)),
    describe: (documents) =>
      translated(async () => {
        await replace(transcript, "json", documents.transcript);
        await replace(captions, "vtt", documents.captions);
      }),
    close: async () => tags.clear(),
  };
}

async function deleteFolder(
  container: ContainerClient,
  prefix: string,
  which: WhichRecordings,
  limit: Limit,
): Promise<boolean> {
  const names: string[] = [];
  try {
    for await (const { name } of container.listBlobsFlat({ prefix, ...limit() }))
      if (which(recordingIdIn(name.slice(prefix.length)))) names.push(name);
  } catch (error) {
    if (statusOf(error) === 404) return false; // no container: nothing was ever recorded
    throw error;
  }
  await Promise.all(
    names.map((name) => container.getBlobClient(name).deleteIfExists({ deleteSnapshots: "include", ...limit() })),
  );
  return names.length > 0;
}

/** All block ids of a blob must have the same length. */
function blockId(kind: "h" | "d", count: number): string {
  return Buffer.from(`${kind}${String(count).padStart(8, "0")}`).toString("base64");
}

function unchangedSince(etag: string | undefined): BlobRequestConditions {
  return etag === undefined ? { ifNoneMatch: "*" } : { ifMatch: etag };
}

async function collect(stream: NodeJS.ReadableStream | undefined): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream ?? []) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

function statusOf(error: unknown): number | undefined {
  return error instanceof RestError ? error.statusCode : undefined;
}
