/**
 * What a service and the product said to each other in one conversation, as a file of JSON lines. The first line says where it is
 * from; each other line is one message, without secrets and without anybody's words.
 */
import { readFile, writeFile } from "node:fs/promises";
import { z } from "zod";

export const recordingTargets = ["chat", "openai-realtime", "voice-live", "speech"] as const;
export type RecordingTarget = (typeof recordingTargets)[number];

const heading = z.strictObject({
  target: z.enum(recordingTargets),
  /** `captured`: written by `npm run record`. `published`: made from the examples in the vendor's documentation. */
  source: z.enum(["captured", "published"]),
  /** Where it is from, for whoever wants to look: a page, a package with its version, or the service's host and model. */
  origin: z.string().min(1),
  recordedOn: z.iso.date(),
});

const message = z.strictObject({
  direction: z.enum(["sent", "received"]),
  /** `POST chat/completions`, `200 chat/completions`, or the type of a WebSocket's message. */
  name: z.string().min(1),
  body: z.unknown(),
});

export type RecordingHeading = z.infer<typeof heading>;
export type RecordedMessage = z.infer<typeof message>;

export interface Recording extends RecordingHeading {
  readonly messages: readonly RecordedMessage[];
}

export async function writeRecording(file: string, { messages, ...origin }: Recording): Promise<void> {
  await writeFile(file, [origin, ...messages].map((line) => `${JSON.stringify(line)}\n`).join(""));
}

/** Throws with the number of the line that is no message. */
export async function readRecording(file: string): Promise<Recording> {
  const [first = "", ...rest] = (await readFile(file, "utf8")).split("\n").filter((line) => line !== "");
  const read = <Parsed>(schema: z.ZodType<Parsed>, line: string, index: number): Parsed => {
    const parsed = schema.safeParse(JSON.parse(line));
    if (!parsed.success) throw new Error(`${file}: line ${index + 1}: ${z.prettifyError(parsed.error)}`);
    return parsed.data;
  };
  return {
    ...read(heading, first, 0),
    messages: rest.map((line, index) => read(message, line, index + 1)),
  };
}
