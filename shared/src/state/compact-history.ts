/**
 * A history as it is kept for the length of a conversation. What a store has read has strings of its own for each item's role, agent and turn,
 * and its objects were filled field by field: with twenty turns that is 4 of the 62 KB that a session takes.
 */
import type { HistoryItem } from "./ports/session-store.ts";

const roles: Readonly<{ [role in HistoryItem["role"]]: role }> = {
  user: "user",
  assistant: "assistant",
  tool: "tool",
  system: "system",
};

/** The same items, in which equal names are the same string. */
export function compactHistory(history: readonly HistoryItem[]): HistoryItem[] {
  const names = new Map<string, string>();
  const sole = (name: string): string => {
    const known = names.get(name);
    if (known === undefined) names.set(name, name);
    return known ?? name;
  };
  return history.map(({ role, content, agent, turnId, timestampMs, begunAtMs, interrupted, ...rare }) => {
    const said = { role: roles[role], content, agent: sole(agent), turnId: sole(turnId), timestampMs, interrupted };
    const item = begunAtMs === undefined ? said : { ...said, begunAtMs };
    return isEmpty(rare) ? item : { ...item, ...rare };
  });
}

function isEmpty(fields: object): boolean {
  for (const name in fields) if (Object.hasOwn(fields, name)) return false;
  return true;
}
