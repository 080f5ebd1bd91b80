/** What a Redis server has executed: how often each command, those within scripts included. */
import { once } from "node:events";
import { connect } from "node:net";
import { createInterface } from "node:readline";
import type { Redis } from "ioredis";

export type CommandCounts = ReadonlyMap<string, number>;

/** Since the server began or its statistics were reset, without the commands that look and reset. */
export async function executedCommands(admin: Pick<Redis, "info">): Promise<CommandCounts> {
  const stats = await admin.info("commandstats");
  const lines = stats.matchAll(/^cmdstat_(?!config|info)([^:]+):calls=(\d+)/gm);
  return new Map([...lines].map(([, name = "", count]) => [name, Number(count)]));
}

export function commandsSince(before: CommandCounts, now: CommandCounts): CommandCounts {
  return new Map([...now].map(([name, count]) => [name, count - (before.get(name) ?? 0)]));
}

export function totalOf(counts: CommandCounts): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}

/** The most frequent first, by `say`; the rest together. */
export function describeCommands(counts: CommandCounts, most: number, say: (count: number) => string): string {
  const byCount = [...counts].toSorted(([, one], [, other]) => other - one);
  const named = byCount.slice(0, most).filter(([, count]) => count > 0);
  const rest = byCount.slice(most).reduce((sum, [, count]) => sum + count, 0);
  return [...named, ...(rest > 0 ? [["others", rest] as const] : [])]
    .map(([name, count]) => `${name} ${say(count)}`)
    .join(", ");
}

/**
 * Passes on each command that the server executes, within scripts too, until the returned function is called. Over a socket of its own: the
 * client takes a command that comes in one chunk with the answer to MONITOR for the answer to another.
 */
export async function watchCommands(port: number, onCommand: (words: readonly string[]) => void): Promise<() => void> {
  const socket = connect({ port, host: "127.0.0.1" });
  socket.write("MONITOR\r\n");
  const lines = createInterface({ input: socket });
  await once(lines, "line");
  // `+<time> [<database> <client>] "<word>" "<word>" …`, where a quote within a word follows a backslash.
  lines.on("line", (line) => onCommand([...line.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, word = ""]) => word)));
  return () => socket.destroy();
}
