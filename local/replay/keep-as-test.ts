/**
 * Makes a test of a flight record: `kept-records.test.ts` in `streaming-host/src/session/flight` replays every record in
 * the folder beside it. It stores the decisions that today's code makes, so check them before you keep a record.
 */
import { writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { VoiceError } from "@voice/shared/platform/errors";
import type { FlightRecord } from "@voice/streaming-host/session/flight/flight-segment";
import { testFileOf } from "@voice/streaming-host/session/flight/record-as-test";

const folder = fileURLToPath(new URL("../../streaming-host/src/session/flight/kept", import.meta.url));

/** Resolves with the file's path. Rejects where there is one of that name. */
export async function keepAsTest(name: string, { segments }: FlightRecord): Promise<string> {
  const { fileName, text } = testFileOf(name, segments);
  const path = `${folder}/${fileName}`;
  await writeFile(path, text, { flag: "wx" }).catch((cause: unknown) => {
    throw new VoiceError("conflict", `${path} cannot be written: choose another name, or delete it first`, { cause });
  });
  return path;
}
