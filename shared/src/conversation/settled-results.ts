/**
 * The result of each tool call. A conversation that continues on another host notes that the outcome of a running call is not known
 * (TAKE-4). The result may be stored later under the same id, by this host or by the previous one. It is then read in place of the unknown
 * one, and no call has two results (EFFECT-18). Pure.
 */
import type { HistoryItem } from "../state/ports/session-store.ts";
import { outcomeUnknown } from "../tools/outcome.ts";

/** The history with the known results; the same array if there is nothing to replace. */
export function withSettledResults(history: readonly HistoryItem[]): readonly HistoryItem[] {
  const results = new Map<string, HistoryItem[]>();
  for (const item of history) {
    if (item.role !== "tool" || item.toolCallId === undefined) continue;
    const known = results.get(item.toolCallId);
    if (known === undefined) results.set(item.toolCallId, [item]);
    else known.push(item);
  }
  if (![...results.values()].some(({ length }) => length > 1)) return history;
  const called = new Set<string>();
  const answered = new Set<string>();
  return history.flatMap((item) => {
    if (item.toolCalls !== undefined) {
      const isRepeated = item.toolCalls.length > 0 && item.toolCalls.every(({ id }) => called.has(id));
      for (const { id } of item.toolCalls) called.add(id);
      return isRepeated ? [] : [item];
    }
    const { role, toolCallId } = item;
    if (role !== "tool" || toolCallId === undefined) return [item];
    if (answered.has(toolCallId)) return [];
    answered.add(toolCallId);
    const settled = results.get(toolCallId)?.find((result) => !isUnknownResult(result));
    return [settled === undefined ? item : { ...item, content: settled.content }];
  });
}

/**
 * The history without what was stored late, except for results of calls whose outcome it does not know. Everything else keeps its place,
 * because positions in the history are stored (`knownFrom`).
 */
export function withLateResults(history: readonly HistoryItem[]): readonly HistoryItem[] {
  const late = new Map(
    history.filter((item) => item.late === true && !isUnknownResult(item)).map((item) => [item.toolCallId, item]),
  );
  return history.flatMap((item) => {
    if (item.late === true) return [];
    const result = isUnknownResult(item) && item.toolCallId !== undefined ? late.get(item.toolCallId) : undefined;
    return [result?.role === "tool" ? { ...item, content: result.content } : item];
  });
}

/** It is not known yet whether it was done. */
export function isUnknownResult({ role, content }: Pick<HistoryItem, "role" | "content">): boolean {
  return role === "tool" && content.includes(`"error":"${outcomeUnknown}"`);
}
