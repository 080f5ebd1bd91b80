/** Recordings of people that are part of the repository (`test/fixtures/people`). */
import { readFile } from "node:fs/promises";
import { decodeWav } from "@voice/provider-kit/audio/wav";

const recordings = [
  "dark-roast-iced-coffee",
  "light-roast-iced-mocha",
  "not-an-ill-disposed-young-man",
  "ten-of-clubs",
] as const;
export type PeoplesRecording = (typeof recordings)[number];

/** At 16 kHz. */
export async function peoplesRecording(name: PeoplesRecording): Promise<Int16Array> {
  const { samples } = decodeWav(await readFile(new URL(`../fixtures/people/${name}.wav`, import.meta.url)));
  return samples;
}

export function allRecordings(): Promise<readonly Int16Array[]> {
  return Promise.all(recordings.map(peoplesRecording));
}
