/**
 * What a speech-to-speech model has said in one reply: items of audio and text, one after the other. It answers the two
 * questions an interruption asks: which words were heard, and what the model must forget. Pure; positions are
 * milliseconds of the reply's audio.
 */

interface SpokenItem {
  readonly itemId: string;
  readonly startMs: number;
  /** Our own words, which the model does not know and need not forget. */
  readonly isFiller: boolean;
  durationMs: number;
  text: string;
  /** The ends of words in the item's audio, if the service reports them. */
  readonly wordEnds: { readonly text: string; readonly endMs: number }[];
}

export interface ItemCut {
  readonly itemId: string;
  /** How much of the item's audio was heard. */
  readonly heardMs: number;
}

export class SpokenItems {
  readonly #items: SpokenItem[] = [];

  get text(): string {
    return join(this.#items.map(({ text }) => text));
  }

  get durationMs(): number {
    const last = this.#items.at(-1);
    return last === undefined ? 0 : last.startMs + last.durationMs;
  }

  addAudio(itemId: string, durationMs: number): void {
    this.#item(itemId).durationMs += durationMs;
  }

  /** A filler that bridged the wait for the model. */
  addFiller(text: string, durationMs: number): void {
    const itemId = `filler ${this.#items.length}`;
    this.#items.push({ itemId, startMs: this.durationMs, isFiller: true, durationMs, text, wordEnds: [] });
  }

  addText(itemId: string, delta: string): void {
    this.#item(itemId).text += delta;
  }

  /** The item's whole text, which may differ from the sum of its deltas. */
  setText(itemId: string, text: string): void {
    this.#item(itemId).text = text;
  }

  addWord(itemId: string, text: string, endMs: number): void {
    this.#item(itemId).wordEnds.push({ text, endMs });
  }

  /** Whole words whose audio was heard to its end (HIST-2). */
  textHeard(heardMs: number): string {
    return join(
      this.#items.map((item) => {
        const own = heardMs - item.startMs;
        if (own <= 0) return "";
        return own >= item.durationMs ? item.text : heardPart(item, own);
      }),
    );
  }

  /** What the model has to forget because it was not heard; nothing for items that were heard to their end. */
  cuts(heardMs: number): readonly ItemCut[] {
    return this.#items
      .filter((item) => !item.isFiller && heardMs < item.startMs + item.durationMs)
      .map((item) => ({ itemId: item.itemId, heardMs: Math.max(0, Math.floor(heardMs - item.startMs)) }));
  }

  #item(itemId: string): SpokenItem {
    const known = this.#items.find((item) => item.itemId === itemId);
    if (known !== undefined) return known;
    const item: SpokenItem = {
      itemId,
      startMs: this.durationMs,
      isFiller: false,
      durationMs: 0,
      text: "",
      wordEnds: [],
    };
    this.#items.push(item);
    return item;
  }
}

function heardPart(item: SpokenItem, heardMs: number): string {
  if (item.wordEnds.length > 0)
    return join(item.wordEnds.filter(({ endMs }) => endMs <= heardMs).map(({ text }) => text));
  // Without word times, every character is assumed to take equally long.
  const reached = (item.text.length * heardMs) / item.durationMs;
  let end = 0;
  for (const word of item.text.matchAll(/\S+/g)) {
    const wordEnd = word.index + word[0].length;
    if (wordEnd <= reached) end = wordEnd;
  }
  return item.text.slice(0, end);
}

function join(parts: readonly string[]): string {
  return parts
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .join(" ");
}
