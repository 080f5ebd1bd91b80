/** Puts the entries of a conversation on one line of time, and the sentences of its recording to the entries that they are of. Pure. */
import type { RecordedSentence, RecordedTranscript, SessionDetails } from "../api/service-api.ts";
import type { ConversationView, Entry } from "./conversation-view.ts";
import { wordsOf } from "./same-words.ts";

interface PlacedSentence {
  readonly text: string;
  readonly startMs: number;
  readonly endMs: number;
}

export interface PlacedEntry {
  readonly entry: Entry;
  /** Milliseconds after the beginning of the line. */
  readonly startMs: number;
  readonly endMs: number;
  /** The sentences of the recording that belong to the entry; empty if none of it was recorded. */
  readonly sentences: readonly PlacedSentence[];
}

export interface Timeline {
  readonly durationMs: number;
  readonly entries: ReadonlyMap<number, PlacedEntry>;
  /** Converts a wall-clock time to a place on the time line. Both are in milliseconds. */
  readonly placeOf: (wallMs: number) => number;
}

export interface TimelineParts {
  readonly entries: readonly Entry[];
  readonly details: Pick<SessionDetails, "created_at" | "last_activity_at" | "recordings"> | undefined;
  /** What was said in the recording; undefined where there is none, or it could not be read. */
  readonly recorded: RecordedTranscript | undefined;
  /** The time now, while the conversation goes on. */
  readonly nowMs?: number | undefined;
}

/** How fast people speak, for text of which no times are known. */
const msPerCharacter = 65;

export function toTimeline({ entries, details, recorded, nowMs }: TimelineParts): Timeline {
  const placeOf = placing(entries, details, recorded);
  const sentences = new SentencesByTurn(recorded?.entries ?? []);
  const placed = new Map(entries.map((entry) => [entry.id, placeEntry(entry, sentences.takeFor(entry), placeOf)]));
  const ends = [...placed.values()].map(({ endMs }) => endMs);
  const lastMs = Date.parse(details?.last_activity_at ?? "");
  return {
    durationMs: Math.max(
      1000,
      ...ends,
      ...(recorded?.recordings ?? []).map(({ start_ms: startMs, duration_ms: lengthMs }) => startMs + lengthMs),
      nowMs === undefined ? 0 : placeOf(nowMs),
      Number.isNaN(lastMs) ? 0 : placeOf(lastMs),
    ),
    entries: placed,
    placeOf,
  };
}

/**
 * The line is that of the recording, which joins its parts with at most half a minute of silence between them. Without one it begins with the
 * conversation.
 */
function placing(
  entries: readonly Entry[],
  details: TimelineParts["details"],
  recorded: RecordedTranscript | undefined,
): (wallMs: number) => number {
  const parts = (recorded?.recordings ?? [])
    .flatMap(({ recording_id: id, start_ms: startMs }) => {
      const startedAt = details?.recordings.find(({ recording_id: other }) => other === id)?.started_at;
      return startedAt == null ? [] : [{ startMs, wallMs: Date.parse(startedAt) }];
    })
    .toSorted((one, other) => one.wallMs - other.wallMs);
  const [first] = parts;
  if (first !== undefined)
    return (wallMs) => {
      const part = parts.findLast((other) => other.wallMs <= wallMs) ?? first;
      return Math.max(0, part.startMs + wallMs - part.wallMs);
    };
  const begun = [details?.created_at, recorded?.started_at, entries[0]?.at].map((at) => Date.parse(at ?? ""));
  const beginMs = Math.min(...begun.filter((ms) => !Number.isNaN(ms)));
  return (wallMs) => (Number.isFinite(beginMs) ? Math.max(0, wallMs - beginMs) : 0);
}

function placeEntry(
  entry: Entry,
  sentences: readonly RecordedSentence[],
  placeOf: (wallMs: number) => number,
): PlacedEntry {
  const [first] = sentences;
  const last = sentences.at(-1);
  if (first !== undefined && last !== undefined)
    return { entry, startMs: first.start_ms, endMs: last.end_ms, sentences: sentencesOf(entry, sentences) };
  const atMs = placeOf(Date.parse(entry.at));
  return { entry, startMs: atMs, endMs: atMs + lengthOf(entry), sentences: [] };
}

function lengthOf(entry: Entry): number {
  if (entry.kind === "tool") return entry.durationMs ?? 0;
  return entry.kind === "agent" || entry.kind === "user" ? entry.text.length * msPerCharacter : 0;
}

/** The entry's text in the pieces of the recording, where they are the same words; otherwise the text is one piece. */
function sentencesOf(entry: Entry, sentences: readonly RecordedSentence[]): readonly PlacedSentence[] {
  if (entry.kind !== "agent" && entry.kind !== "user") return [];
  const isSame = wordsOf(sentences.map(({ text }) => text).join(" ")) === wordsOf(entry.text);
  const startMs = sentences[0]?.start_ms ?? 0;
  const endMs = sentences.at(-1)?.end_ms ?? startMs;
  if (!isSame) return [{ text: entry.text, startMs, endMs }];
  return sentences.map(({ text, start_ms, end_ms }) => ({ text, startMs: start_ms, endMs: end_ms }));
}

/** Several utterances of a caller may be one turn, and several agents may speak in one. */
class SentencesByTurn {
  readonly #left: RecordedSentence[];

  constructor(sentences: readonly RecordedSentence[]) {
    this.#left = [...sentences];
  }

  takeFor(entry: Entry): readonly RecordedSentence[] {
    if (entry.kind === "agent")
      return this.#take(
        ({ speaker, turn_id: turnId, agent }) =>
          speaker === "agent" && turnId === entry.turnId && (agent ?? entry.agent) === entry.agent,
      );
    if (entry.kind !== "user" || entry.turnId === undefined) return [];
    const own = this.#left.filter(({ speaker, turn_id: turnId }) => speaker === "caller" && turnId === entry.turnId);
    const words = wordsOf(entry.text);
    const same = own.find(({ text }) => wordsOf(text) === words);
    // What the recogniser gave in several pieces may have been stored as one.
    const parts = same === undefined ? own.filter(({ text }) => words.includes(wordsOf(text))) : [same];
    return this.#take((sentence) => parts.includes(sentence));
  }

  #take(isWanted: (sentence: RecordedSentence) => boolean): readonly RecordedSentence[] {
    const taken = this.#left.filter(isWanted);
    for (const sentence of taken) this.#left.splice(this.#left.indexOf(sentence), 1);
    return taken;
  }
}

/**
 * Entries in the order of their places in the recording, so that words that were known late stand where they were spoken. Without a
 * recording they stay in the order of arrival.
 */
export function inPlacedOrder(view: ConversationView, { entries }: Timeline, isRecorded: boolean): ConversationView {
  if (!isRecorded) return view;
  const startOf = ({ id }: Entry): number => entries.get(id)?.startMs ?? 0;
  return { ...view, entries: view.entries.toSorted((one, other) => startOf(one) - startOf(other)) };
}

export interface PlayedAt {
  readonly entryId: number;
  readonly sentence: number;
}

/** What is being said at this moment; between two utterances, the one before. */
export function playedAt({ entries }: Pick<Timeline, "entries">, atMs: number): PlayedAt | undefined {
  let latest: (PlayedAt & { readonly startMs: number }) | undefined;
  for (const { entry, sentences } of entries.values())
    for (const [sentence, { startMs }] of sentences.entries())
      if (startMs <= atMs && (latest === undefined || startMs >= latest.startMs))
        latest = { entryId: entry.id, sentence, startMs };
  return latest;
}
