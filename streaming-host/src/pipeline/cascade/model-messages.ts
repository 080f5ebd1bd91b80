/** Converts the stored history into a chat model's messages. Pure. */
import { withoutWithdrawn } from "@voice/shared/conversation/withdrawn-effects";
import { notUnderstoodMessage, readNotUnderstood } from "@voice/shared/conversation/not-understood";
import type { HistoryItem } from "@voice/shared/state/ports/session-store";
import type { ModelMessage } from "@voice/provider-kit/ports/language-model";

/** A message in place of words that were not understood. It is no system message, because some servers accept those only at the beginning. */
export function notUnderstood(guess: string | undefined): ModelMessage {
  return { role: "user", content: notUnderstoodMessage(guess), understood: false, guess };
}

/** HIST-5: a separate message. If it were part of the assistant's text, the model would imitate it as a manner of speaking. */
export const interruptedHere = "The caller interrupted the assistant here and heard only the words above.";
const interruption: ModelMessage = { role: "system", content: interruptedHere };

/** PERSON-7: a note, because the model would otherwise take the words for its own, and imitate the mark on them. */
export function saidInPerson(words: string): string {
  return `A colleague, who had taken over from you, said to the caller in person: ${words}`;
}

/** Cached for each history object, because the same history is converted more than once before the next turn. */
const known = new WeakMap<readonly HistoryItem[], readonly ModelMessage[]>();

/** HIST-4: the history holds what was heard, so this is what the model sees. `history` is never changed. */
export function toModelMessages(history: readonly HistoryItem[]): readonly ModelMessage[] {
  const messages = known.get(history) ?? convert(history);
  known.set(history, messages);
  return messages;
}

function convert(history: readonly HistoryItem[]): ModelMessage[] {
  return withoutRepeatedGreetings(withoutWithdrawn(history)).flatMap((item): ModelMessage[] => {
    switch (item.role) {
      case "user":
        return [{ role: "user", content: item.content }];
      case "system":
        return [toRemark(item)];
      case "tool":
        return [toToolMessage(item)];
      case "assistant":
        return item.author === "person"
          ? [{ role: "system", content: saidInPerson(item.content) }]
          : toAssistantMessages(item);
    }
  });
}

function toRemark(item: HistoryItem): ModelMessage {
  const unclear = readNotUnderstood(item);
  return unclear === undefined ? { role: "system", content: item.content } : notUnderstood(unclear.guess);
}

function toToolMessage({ toolCallId = "", toolName = "", content }: HistoryItem): ModelMessage {
  return { role: "tool", toolCallId, name: toolName, content };
}

/** MODEL-16: a caller who keeps coming back without speaking is greeted each time, but the model only needs the last greeting. */
function withoutRepeatedGreetings(history: readonly HistoryItem[]): readonly HistoryItem[] {
  const runs: HistoryItem[][] = [];
  for (const [place, item] of history.entries()) {
    const before = history[place - 1];
    if (isSaid(item) && before !== undefined && isSaid(before)) runs.at(-1)?.push(item);
    else runs.push([item]);
  }
  return runs.flatMap((run) => run.filter((item, place) => !run.some((other, at) => repeats(other, item, at > place))));
}

/** Both items say the same, or one is the beginning of the other, of which more was heard. */
function repeats(other: HistoryItem, { content }: HistoryItem, isLater: boolean): boolean {
  return other.content.startsWith(content) && (other.content.length > content.length || isLater);
}

function isSaid({ role, toolCalls }: HistoryItem): boolean {
  return role === "assistant" && toolCalls === undefined;
}

function toAssistantMessages({ content, toolCalls, interrupted, brokenOff }: HistoryItem): ModelMessage[] {
  // A provider rejects a message that stands between a call and its results.
  if (toolCalls !== undefined) return [{ role: "assistant", content, toolCalls }];
  return [{ role: "assistant", content }, ...(interrupted && brokenOff === undefined ? [interruption] : [])];
}
