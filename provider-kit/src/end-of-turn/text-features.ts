/**
 * The properties of a text's end from which the text model judges whether more will follow: which words it ends with, and what they
 * follow. Each property is a number below `featureCount`, the place of its weight. Shared by the training and the estimator.
 */
import type { Expected } from "@voice/provider-kit/ports/end-of-turn";

/** What `textFeatures` sees of a word: hashes, so that a property is made of numbers and no text is composed. */
export interface HashedWord {
  readonly whole: number;
  /** The word itself if it is frequent, its ending otherwise: "jalapenos" is seldom, words that end in "os" are not. */
  readonly rough: number;
  readonly ending: number;
  /** The word itself if it is one of the most frequent, else that it is a number or any other word: "want a # ~". */
  readonly frame: number;
  readonly isContent: boolean;
}

/** The words of a language that its model knows by themselves, the most frequent first. */
export type HashWord = (word: string) => HashedWord;

/** So many of the most frequent words make up the frame of a sentence; they are its function words. */
const frameWords = 100;
const lettersOfEnding = 2;
/** Words further back are not looked at, but for the first two. */
const reach = 14;
const absent = 1;
const content = hashText("<content>");

const kinds = ["nothing", "digits", "quantity", "yes-or-no", "choice", "anything"] as const;

export function wordHasher(frequentWords: readonly string[]): HashWord {
  const rankOf = new Map(frequentWords.map((word, rank) => [word, rank]));
  return (word) => {
    const figures = asFigures(word);
    const written = figures ?? word;
    const whole = hashText(written);
    const ending = hashText(`~${written.slice(-lettersOfEnding)}`);
    const rank = rankOf.get(written);
    const isFrame = figures !== undefined || (rank !== undefined && rank < frameWords);
    const rough = rank === undefined ? ending : whole;
    const isContent = !isFrame || figures !== undefined;
    return { whole, ending, rough, frame: isFrame ? whole : content, isContent };
  };
}

/** Numbers count by their length: "#1" for 7, "#2" for 42, "#th" for 15th. */
export function asFigures(word: string): string | undefined {
  if (!/^\d/.test(word)) return undefined;
  const rest = word.replace(/^\d+/, "");
  return rest === "" ? `#${Math.min(word.length, 5)}` : `#${rest}`;
}

/** The features of the first `count` of these words, each below `2 ** bits`. */
export function textFeatures(
  words: readonly HashedWord[],
  count: number,
  { kind, bits }: { readonly kind: Expected["kind"]; readonly bits: number },
): number[] {
  const shift = 32 - bits;
  const features: number[] = [];
  const add = (template: number, ...values: readonly number[]): void => {
    let hash = Math.imul(template, 0x9e3779b1);
    for (const value of values) hash = mix(Math.imul(hash ^ value, 0x27d4eb2f) + 0x165667b1);
    features.push(hash >>> shift);
  };
  const at = (back: number): HashedWord | undefined => words[count - 1 - back];
  const whole = (back: number): number => at(back)?.whole ?? absent;
  const rough = (back: number): number => at(back)?.rough ?? absent;
  const frame = (back: number): number => at(back)?.frame ?? absent;
  const isAt = (back: number): boolean => back < count;
  const length = Math.min(count, 13);
  const asked = kinds.indexOf(kind);
  const first = words[0]?.whole ?? absent;
  const second = count > 1 ? (words[1]?.whole ?? absent) : absent;
  const ending = at(0)?.ending ?? absent;

  // The last words themselves.
  add(1, whole(0));
  add(2, whole(1), whole(0));
  add(3, whole(2), whole(1), whole(0));
  add(4, whole(3), whole(2), whole(1), whole(0));
  add(5, ending);
  add(6, rough(1), rough(0));
  add(7, rough(2), rough(1), rough(0));
  add(8, rough(3), rough(2), rough(1), rough(0));
  add(9, rough(4), rough(3), rough(2), rough(1), rough(0));
  add(10, rough(2), rough(0));
  add(11, rough(3), rough(0));
  add(12, rough(4), rough(0));
  add(13, rough(1), ending);
  add(14, rough(2), rough(1));
  add(15, rough(3), rough(1));
  add(16, rough(3), rough(2), rough(0));
  // How long the text is, how it began, and what was asked.
  add(17, length);
  add(18, asked, length);
  add(19, asked, rough(0));
  add(20, asked, rough(1), rough(0));
  add(21, asked, rough(2), rough(1), rough(0));
  add(22, asked);
  add(23, length, rough(0));
  add(24, first, Math.min(count, 7));
  add(25, first, rough(0));
  add(26, first, second, Math.min(count, 9));
  // The shape of the sentence.
  add(30, frame(0), frame(1), frame(2));
  add(31, frame(0), frame(1), frame(2), frame(3));
  add(32, frame(0), frame(1), frame(2), frame(3), frame(4));
  add(33, frame(0), frame(1), frame(2), frame(3), frame(4), frame(5));
  add(34, asked, frame(0), frame(1), frame(2), frame(3));
  add(35, words[0]?.frame ?? absent, frame(0), frame(1), frame(2), frame(3), Math.min(count, 7));
  // The last function word, and how many other words have followed it.
  let since = 0;
  while (since < reach && at(since)?.isContent === true) since++;
  add(36, since, whole(since));
  add(37, since, whole(since), whole(since + 1));
  add(38, since, whole(since), rough(0));
  // What else has been said.
  for (let back = 2; back <= reach && isAt(back); back++) add(40, rough(back));
  for (let back = 5; back <= 10 && isAt(back); back++) add(41, rough(back), rough(0));
  return features;
}

/** FNV-1a, mixed once more because its high bits differ little between short words. */
function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return mix(hash);
}

/** The finaliser of MurmurHash3. */
function mix(value: number): number {
  let hash = value ^ (value >>> 16);
  hash = Math.imul(hash, 0x85ebca6b);
  hash ^= hash >>> 13;
  hash = Math.imul(hash, 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
