/**
 * Finds the values of an agent's choices in open words, also where these only sound like them: "a medium rose of merricano with skin milk"
 * is a medium roast americano with skim milk. The whole sentence is divided into values and other words at once, so that the cheapest
 * division decides where a value begins and ends. Pure.
 */
import { parseExamples } from "../recogniser/examples.ts";
import { closers, joint, openers } from "../recogniser/everyday-words.ts";
import { stopWords } from "../rule-model/vocabulary.ts";
import { priceBetween, priceOf, soundsOf, wordsIn } from "./similar-sounds.ts";
import { lacksValues, valuesOf, wishesOf } from "./wishes.ts";
import type { KnownValue, Wish } from "./wishes.ts";

/** What an agent's examples with choices consist of. */
export interface Menu {
  readonly values: readonly KnownValue[];
  /** Beside the values, and in what people say around them. */
  readonly words: readonly string[];
  readonly wishes: readonly Wish[];
}

export interface FoundValue extends KnownValue {
  /** 1: it was written so; less the less it sounds like what was written. */
  readonly likeness: number;
  /** How much better it fits than any other value of its choice, from -1 to 1. */
  readonly lead: number;
  /** The words that are read as this value, as they were written. */
  readonly written: readonly string[];
  /** A word that nothing explains stands beside it, and may be a part of another value. */
  readonly isBesideUnknown: boolean;
}

export interface Reading {
  /** The text with the values in the agent's own wordings. */
  readonly text: string;
  readonly values: readonly FoundValue[];
  /** Words that are no value, and stand in no example with values. */
  readonly unknown: readonly string[];
}

interface Unit extends KnownValue {
  readonly sounds: string;
  readonly price: number;
}

/** The cheapest divisions in which a value is under way, for each of its sounds: the price, and where the value began. */
interface Column {
  readonly prices: Float64Array;
  readonly starts: Uint16Array;
}

/** Any value costs this much, so that one long value is preferred to two short ones. */
const valuePrice = 0.15;
/** A word that occurs in the examples. Less than a value that only sounds like it; more than a value that contains it ("a lot of"). */
const knownWordPrice = 0.05;
/** Per sound of a word that belongs to no value. A value costs less only if more than half of its sounds match. */
const unknownShare = 0.62;
/** A value that begins or ends within a written word: "ice-emocca". */
const insidePrice = 0.3;
const courtesies = [...openers, ...closers, joint, "thank"];
/** A turn of more sounds is a story, in which no value is sought by its sound. */
const mostSounds = 400;

/** Who answers a question about one value says fewer words beside it: "the medium one". */
const fewestBeside = 3;

/** By the examples that a host holds for each agent. */
const remembered = new WeakMap<readonly string[], KnownValues>();

/** `examples`: as in the hints of a recogniser. */
export function knownValuesOf(examples: readonly string[]): KnownValues {
  const known = remembered.get(examples) ?? new KnownValues(menuOf(examples));
  remembered.set(examples, known);
  return known;
}

function menuOf(examples: readonly string[]): Menu {
  const sentences = parseExamples(examples).filter((sentence) => sentence.some(({ type }) => type === "choice"));
  const tokens = sentences.flat();
  return {
    values: valuesOf(tokens.filter((token) => token.type === "choice")),
    words: [...courtesies, ...tokens.flatMap((token) => (token.type === "word" ? [token.word] : []))],
    wishes: wishesOf(sentences),
  };
}

export class KnownValues {
  readonly menu: Menu;
  readonly #units: readonly Unit[];
  readonly #words: ReadonlySet<string>;

  constructor(menu: Menu) {
    this.menu = menu;
    this.#units = menu.values.map(({ choice, wording }) => {
      const sounds = wording.split(" ").map(soundsOf).join("");
      return { choice, wording, sounds, price: priceOfAll(sounds) };
    });
    this.#words = new Set(menu.words);
  }

  get isEmpty(): boolean {
    return this.#units.length === 0;
  }

  /** More than an answer, and without a value that every example has: "can I get a light roast". */
  isBeginning(text: string): boolean {
    const { text: read, values, unknown } = this.read(text);
    if (unknown.length > 0 || !lacksValues(this.menu.wishes, values)) return false;
    const inValues = values.reduce((sum, { wording }) => sum + wording.split(" ").length, 0);
    return values.length > 1 || read.split(" ").length - inValues >= fewestBeside;
  }

  read(text: string): Reading {
    const words = wordsIn(text);
    const sounds = words.map(soundsOf);
    const heard = sounds.join("");
    if (heard.length > mostSounds) return { text: words.join(" "), values: [], unknown: words };
    const edges = [0];
    for (const part of sounds) edges.push((edges.at(-1) ?? 0) + part.length);
    const wordAt = new Map(edges.map((edge, word) => [edge, word]));
    const columns = this.#units.map(({ sounds: { length } }): Column => ({
      prices: new Float64Array(length + 1).fill(Infinity),
      starts: new Uint16Array(length + 1),
    }));
    const best = Array.from({ length: heard.length + 1 }, (_, at): Place => ({
      price: at === 0 ? 0 : Infinity,
      from: 0,
    }));
    const improve = (at: number, place: Place): void => {
      if (place.price < (best[at]?.price ?? 0)) best[at] = place;
    };
    for (let at = 0; at <= heard.length; at++) {
      const edge = wordAt.has(at) ? 0 : insidePrice;
      for (const [index, unit] of this.#units.entries()) {
        const column = columns[index];
        if (column === undefined || at === 0) continue;
        advance(column, unit.sounds, heard.charAt(at - 1));
        const end = unit.sounds.length;
        improve(at, { price: (column.prices[end] ?? 0) + valuePrice + edge, from: column.starts[end] ?? 0, unit });
      }
      const { price = Infinity } = best[at] ?? {};
      if (price === Infinity) continue;
      const word = wordAt.get(at);
      const length = word === undefined ? 0 : (sounds[word]?.length ?? 0);
      if (word !== undefined && length > 0)
        improve(at + length, { price: price + this.#priceOfWord(words[word] ?? "", sounds[word] ?? ""), from: at });
      for (const [index, unit] of this.#units.entries()) {
        const column = columns[index];
        if (column !== undefined) begin(column, unit.sounds, price + edge, at);
      }
    }
    return this.#trace(words, edges, best, heard);
  }

  #priceOfWord(word: string, sounds: string): number {
    return this.#isKnown(word) ? knownWordPrice : priceOfAll(sounds) * unknownShare;
  }

  #isKnown(word: string): boolean {
    return stopWords.has(word) || this.#words.has(word);
  }

  /** From the end to the beginning. */
  #trace(words: readonly string[], edges: readonly number[], best: readonly Place[], heard: string): Reading {
    const values: FoundValue[] = [];
    const unknown: string[] = [];
    const text: string[] = [];
    const isUnknownBefore = (end: number): boolean => {
      const before = best[end];
      return end > 0 && before?.unit === undefined && !this.#isKnown(words[edges.indexOf(before?.from ?? 0)] ?? "");
    };
    let isUnknownAfter = false;
    for (let at = heard.length; at > 0;) {
      const { from, unit } = best[at] ?? { from: 0 };
      if (unit === undefined) {
        const word = words[edges.indexOf(from)] ?? "";
        text.unshift(word);
        isUnknownAfter = !this.#isKnown(word);
        if (isUnknownAfter) unknown.unshift(word);
      } else {
        const { choice, wording } = unit;
        const span = heard.slice(from, at);
        const likeness = likenessOf(unit, span);
        const others = this.#units.filter((other) => other.choice === choice && other !== unit);
        const lead = likeness - Math.max(0, ...others.map((other) => likenessOf(other, span)));
        const isBesideUnknown = isUnknownAfter || isUnknownBefore(from);
        const written = words.filter((_, word) => (edges[word] ?? 0) < at && (edges[word + 1] ?? 0) > from);
        values.unshift({ choice, wording, likeness, lead, written, isBesideUnknown });
        isUnknownAfter = false;
        text.unshift(wording);
      }
      at = from;
    }
    return { text: text.join(" "), values, unknown };
  }
}

/** The cheapest division of the sounds up to a place: its price, and where its last part begins. */
interface Place {
  readonly price: number;
  readonly from: number;
  readonly unit?: Unit;
}

/** One more sound of the text. */
function advance({ prices, starts }: Column, sounds: string, heard: string): void {
  const more = priceOf(heard);
  let diagonal = prices[0] ?? Infinity;
  let start = starts[0] ?? 0;
  prices[0] = Infinity;
  for (let at = 1; at <= sounds.length; at++) {
    const sound = sounds.charAt(at - 1);
    const above = prices[at] ?? Infinity;
    const aboveStart = starts[at] ?? 0;
    let price = diagonal + priceBetween(sound, heard);
    let from = start;
    if (above + more < price) [price, from] = [above + more, aboveStart];
    const left = (prices[at - 1] ?? Infinity) + priceOf(sound);
    if (left < price) [price, from] = [left, starts[at - 1] ?? 0];
    prices[at] = price;
    starts[at] = from;
    [diagonal, start] = [above, aboveStart];
  }
}

/** A value may begin here, also without its first sounds. */
function begin({ prices, starts }: Column, sounds: string, price: number, from: number): void {
  let so = price;
  for (let at = 0; at <= sounds.length; at++) {
    if (at > 0) so += priceOf(sounds.charAt(at - 1));
    if (so >= (prices[at] ?? 0)) return;
    prices[at] = so;
    starts[at] = from;
  }
}

function priceOfAll(sounds: string): number {
  return Array.from(sounds).reduce((sum, sound) => sum + priceOf(sound), 0);
}

function likenessOf({ sounds, price }: Unit, span: string): number {
  let previous = [0];
  for (const sound of span) previous.push((previous.at(-1) ?? 0) + priceOf(sound));
  for (const sound of sounds) {
    const current = [(previous[0] ?? 0) + priceOf(sound)];
    for (const [at, other] of Array.from(span).entries())
      current.push(
        Math.min(
          (previous[at] ?? 0) + priceBetween(sound, other),
          (previous[at + 1] ?? 0) + priceOf(sound),
          (current[at] ?? 0) + priceOf(other),
        ),
      );
    previous = current;
  }
  return 1 - (previous.at(-1) ?? 0) / Math.max(price, priceOfAll(span));
}
