/**
 * What a speech-to-speech model has said in one reply: items of audio and text, one after the other. It answers the two
 * questions an interruption asks: which words were heard, and what the model must forget. Pure; positions are
 * milliseconds of the reply's audio.
 */

interface SpokenItem<Speaker> {
  readonly itemId: string;
  readonly speaker: Speaker;
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
  /** The item's words up to there. */
  readonly heard: string;
}

export interface HeardSpeech<Speaker> {
  readonly speaker: Speaker;
  readonly text: string;
}

export class SpokenItems<Speaker> {
  /** The speaker of items that begin from now on. */
  speaker: Speaker;
  readonly #items: SpokenItem<Speaker>[] = [];

  constructor(speaker: Speaker) {
    this.speaker = speaker;
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
    const { speaker, durationMs: startMs } = this;
    this.#items.push({ itemId, speaker, startMs, isFiller: true, durationMs, text, wordEnds: [] });
  }

  addText(itemId: string, delta: string): void {
    this.#item(itemId).text += delta;
  }

  hasText(itemId: string): boolean {
    return this.#item(itemId).text !== "";
  }

  /** The item's whole text, which may differ from the sum of its deltas. */
  setText(itemId: string, text: string): void {
    this.#item(itemId).text = text;
  }

  addWord(itemId: string, text: string, endMs: number): void {
    this.#item(itemId).wordEnds.push({ text, endMs });
  }

  /** Whole words whose audio was heard to its end (HIST-2), one after the other, and whose they are. */
  heard(heardMs: number): readonly HeardSpeech<Speaker>[] {
    const heard: { readonly speaker: Speaker; text: string }[] = [];
    for (const item of this.#items) {
      const text = textHeard(item, heardMs - item.startMs);
      const last = heard.at(-1);
      if (last?.speaker === item.speaker) last.text = join([last.text, text]);
      else heard.push({ speaker: item.speaker, text });
    }
    return heard;
  }

  /** What the model has to forget because it was not heard, such as text that came before its audio; nothing of what was heard to its end. */
  cuts(heardMs: number): readonly ItemCut[] {
    return this.#items
      .filter((item) => !item.isFiller && (item.durationMs === 0 || heardMs < item.startMs + item.durationMs))
      .map((item) => ({
        itemId: item.itemId,
        heardMs: Math.max(0, Math.floor(heardMs - item.startMs)),
        heard: textHeard(item, heardMs - item.startMs),
      }));
  }

  #item(itemId: string): SpokenItem<Speaker> {
    const known = this.#items.find((item) => item.itemId === itemId);
    if (known !== undefined) return known;
    const item: SpokenItem<Speaker> = {
      itemId,
      speaker: this.speaker,
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

function textHeard(item: SpokenItem<unknown>, heardMs: number): string {
  if (heardMs <= 0) return "";
  return heardMs >= item.durationMs ? item.text.trim() : heardPart(item, heardMs);
}

function heardPart(item: SpokenItem<unknown>, heardMs: number): string {
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
