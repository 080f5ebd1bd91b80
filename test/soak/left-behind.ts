/**
 * What conversations leave behind in a soak, and where: documents in an archive, webhooks at a receiver, recordings in a folder. Each is
 * counted by the conversation it is about, because a host that falls behind with them is as broken as one that grows.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { text as readText } from "node:stream/consumers";
import { listen } from "@voice/local/emulators/listen";
import { z } from "zod";
import { startDocumentStore } from "../fakes/document-store.ts";

/** Fifty lines write 3 MB of sound a second, so a recording is deleted soon, as a container's life cycle rule does later. */
const recordingLastsMs = 120_000;
const deleteEveryMs = 15_000;

const announcement = z.looseObject({ type: z.string(), data: z.looseObject({ session_id: z.string().nullish() }) });

export interface LeftBehind {
  /** For the host. */
  readonly settings: Readonly<Record<string, string>>;
  readonly archiveUrl: string;
  /** How many different conversations each has heard of. */
  counts(): { readonly archived: number; readonly announced: number; readonly recorded: number };
  close(): Promise<void>;
}

export async function keepWhatIsLeftBehind(): Promise<LeftBehind> {
  await using parts = new AsyncDisposableStack();
  const archive = await startDocumentStore();
  parts.defer(() => archive.close());
  const announced = new Set<string>();
  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { data, type } = announcement.parse(JSON.parse(await readText(request)));
    if (type === "session.ended" && typeof data.session_id === "string") announced.add(data.session_id);
    response.writeHead(204).end();
  }
  const receiver = await listen((request, response) => void take(request, response));
  parts.defer(() => receiver.close());
  const folder = await mkdtemp(path.join(tmpdir(), "soak-recordings-"));
  parts.defer(() => rm(folder, { recursive: true, force: true }));
  const recorded = new Set<string>();
  const deleting = setInterval(() => void countAndDelete(folder, recorded), deleteEveryMs);
  parts.defer(() => clearInterval(deleting));
  const running = parts.move();
  return {
    settings: {
      RECORDING_ENABLED: "true",
      RECORDING_DIR: folder,
      WEBHOOK_URLS: `http://${receiver.host}/`,
      WEBHOOK_SECRETS: `whsec_${Buffer.alloc(32, "soak").toString("base64")}`,
      WEBHOOK_PRIVATE_HOSTS: receiver.host,
    },
    archiveUrl: archive.url,
    counts: () => ({
      archived: new Set([...archive.documents.values()].map(({ session_id: id }) => id)).size,
      announced: announced.size,
      recorded: recorded.size,
    }),
    close: () => running.disposeAsync(),
  };
}

async function countAndDelete(folder: string, recorded: Set<string>): Promise<void> {
  for (const name of await readdir(folder)) {
    recorded.add(name);
    const of = path.join(folder, name);
    const { mtimeMs } = await stat(of);
    if (Date.now() - mtimeMs > recordingLastsMs) await rm(of, { recursive: true, force: true });
  }
}
