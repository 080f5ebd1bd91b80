/** Adds what was said while the page was away from its conversation, such as in another tab. Pure. */
import { maxEntries, maxLatencies } from "./conversation-view.ts";
import type { ConversationView, Entry } from "./conversation-view.ts";
import { unheardText } from "./heard-text.ts";
import { wordsOf } from "./same-words.ts";

/** Both times are the service's: of the last message before, and of the first one after. */
export interface Absence {
  readonly since: string;
  readonly until: string;
  /** Entries of the view from this id on were added later. */
  readonly nextId: number;
}

/** What the page has received itself stays unchanged, because the page knows more of it than is stored. */
export function addMissed(view: ConversationView, history: ConversationView, absence: Absence): ConversationView {
  const { since, until, nextId } = absence;
  const stored = history.entries.filter(
    ({ at }) => Date.parse(at) > Date.parse(since) && Date.parse(at) <= Date.parse(until),
  );
  const place = view.entries.findLastIndex(({ id }) => id < nextId) + 1;
  const { before, missed } = joined(view.entries.slice(0, place), stored);
  const numbered = missed.map((entry, index): Entry => ({ ...entry, id: view.nextId + index }));
  return {
    ...view,
    entries: [...before, ...numbered, ...view.entries.slice(place)].slice(-maxEntries),
    latencies: withMissedLatencies(view.latencies, history.latencies),
    nextId: view.nextId + missed.length,
  };
}

interface Joint {
  readonly before: readonly Entry[];
  readonly missed: readonly Entry[];
}

/** An utterance that was in progress when the page left is stored only afterwards: it is shown once, in its stored form. */
function joined(before: readonly Entry[], missed: readonly Entry[]): Joint {
  const last = before.findLastIndex(isSpoken);
  const first = missed.findIndex(isSpoken);
  const whole = wholeOf(before[last], missed[first]);
  return whole === undefined
    ? { before, missed }
    : { before: before.with(last, whole), missed: missed.toSpliced(first, 1) };
}

function isSpoken({ kind }: Entry): boolean {
  return kind === "user" || kind === "agent";
}

/** Undefined if these are not the same words. */
function wholeOf(shown: Entry | undefined, stored: Entry | undefined): Entry | undefined {
  if (shown?.kind === "user" && stored?.kind === "user") {
    // Words that the recogniser gave in several pieces are stored as one.
    return wordsOf(stored.text).endsWith(wordsOf(shown.text)) ? { ...shown, isPending: false } : undefined;
  }
  if (shown?.kind !== "agent" || stored?.kind !== "agent") return undefined;
  if (shown.agent !== stored.agent || shown.turnId !== stored.turnId) return undefined;
  const { text, isInterrupted } = stored;
  if (!isBeginning(text, shown.text) && !isBeginning(shown.text, text)) return undefined;
  const author = stored.author ?? shown.author;
  const guardrails = stored.guardrails ?? shown.guardrails;
  return {
    ...shown,
    text,
    isInterrupted,
    ...(author && { author }),
    ...(guardrails && { guardrails }),
    unheard: isInterrupted ? unheardText(text, shown.text) : "",
  };
}

function isBeginning(part: string, whole: string): boolean {
  return wordsOf(whole).startsWith(wordsOf(part));
}

function withMissedLatencies(
  seen: ConversationView["latencies"],
  stored: ConversationView["latencies"],
): ConversationView["latencies"] {
  const unstored = seen.filter(({ turnId }) => stored.every((other) => other.turnId !== turnId));
  const known = stored.map((latency) => seen.find(({ turnId }) => turnId === latency.turnId) ?? latency);
  return [...known, ...unstored].slice(-maxLatencies);
}
