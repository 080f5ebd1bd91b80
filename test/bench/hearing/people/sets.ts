/**
 * Where recordings of people are to be had, and what each set is for. None of them is part of this repository: `--people DIR` names a folder
 * that holds the sets by these names. A set is missing where its folder is; its table is then left out.
 */
import { access } from "node:fs/promises";
import { join } from "node:path";

export interface PeopleSet {
  /** The folder below DIR, laid out as the source's own repository is. */
  readonly folder: string;
  readonly source: string;
  /** The commit whose figures are in docs/benchmarks.md. */
  readonly commit: string;
  readonly licence: string;
  readonly holds: string;
  /** Nothing is ever chosen by a set that is held out: no weight, no threshold, no sentence of a catalog. */
  readonly use: "held out" | "tuning";
}

export const commandSet: PeopleSet = {
  folder: "speech-to-intent-benchmark",
  source: "https://github.com/Picovoice/speech-to-intent-benchmark",
  commit: "47b1ca63afe4f08cb83e1f70fec16764879bd130",
  licence: "Apache-2.0",
  holds: "619 orders for coffee by more than 50 people, 16 kHz, and the noise of a kitchen",
  use: "held out",
};

export const digitSet: PeopleSet = {
  folder: "free-spoken-digit-dataset",
  source: "https://github.com/Jakobovski/free-spoken-digit-dataset",
  commit: "26eb9aaf76e81b692f806f9140c2d2777410d7a1",
  licence: "CC BY-SA 4.0: fetch it, and copy nothing of it",
  holds: "3,000 single digits by six people, four of them with an accent, 8 kHz",
  use: "held out",
};

export const readSet: PeopleSet = {
  folder: "pocketsphinx",
  source: "https://github.com/cmusphinx/pocketsphinx",
  commit: "511126b492dcb267cf30d49d631946d7b61a9530",
  licence: "BSD-2-Clause; its pieces of LibriVox are in the public domain",
  holds: "eleven recordings with their texts in test/data: pieces of a novel, names of cards, commands",
  use: "held out",
};

export const tuningDigitSet: PeopleSet = {
  folder: "AudioMNIST",
  source: "https://github.com/soerenab/AudioMNIST",
  commit: "6c5eb77d8e9242d6ce31af807f0409d36a246f51",
  licence: "MIT",
  holds: "30,000 single digits by 60 people, whose ages and accents it lists, 48 kHz; 1 GB",
  use: "tuning",
};

const peopleSets: readonly PeopleSet[] = [commandSet, digitSet, readSet, tuningDigitSet];

export async function hasSet(people: string, { folder }: PeopleSet): Promise<boolean> {
  try {
    await access(join(people, folder));
    return true;
  } catch {
    return false;
  }
}

/** The sets, and the commands that bring them. */
export function describeSets(): string {
  return peopleSets
    .map(
      ({ folder, source, commit, licence, holds, use }) => `${folder} (${use})
  ${holds}
  ${licence}
  git clone ${source} DIR/${folder} && git -C DIR/${folder} checkout ${commit}`,
    )
    .join("\n\n");
}
