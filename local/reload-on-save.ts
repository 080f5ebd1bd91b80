/**
 * While one writes agents and tools: what is saved is served a moment later. It is checked before, and what does not pass leaves the
 * service as it is.
 */
import { spawn } from "node:child_process";
import { watch } from "node:fs";
import { dirname, extname, join } from "node:path";
import type { CancelTimer, Clock } from "@voice/shared/platform/clock";

/** An editor writes a file in several steps, and one saves several files. */
export const settledAfterMs = 300;

export interface ReloadOptions {
  readonly clock: Clock;
  /** Returns a function that ends it. */
  readonly watchFolders: (onChange: () => void) => () => void;
  /** What is wrong with what was saved; undefined if nothing is. */
  readonly check: () => Promise<string | undefined>;
  readonly say: (text: string) => void;
  readonly restart: () => void;
}

export function reloadOnSave({ clock, watchFolders, check, say, restart }: ReloadOptions): void {
  let cancel: CancelTimer = () => undefined;
  let isChecking = false;
  let hasChanged = false;
  const stopWatching = watchFolders(() => {
    hasChanged = true;
    cancel();
    cancel = clock.setTimer(settledAfterMs, () => void reload());
  });

  async function reload(): Promise<void> {
    if (isChecking) return;
    isChecking = true;
    let problem: string | undefined;
    do {
      hasChanged = false;
      problem = await check();
    } while (hasChanged);
    isChecking = false;
    if (problem !== undefined) {
      say(`${problem}\nWhat was saved is not served: the service goes on with what it had.`);
      return;
    }
    stopWatching();
    cancel();
    say("What was saved is served: the service starts anew.");
    restart();
  }
}

export function watchOnDisk(folders: readonly string[], onChange: () => void): () => void {
  const watchers = folders.map((folder) => watch(folder, { recursive: true }, onChange));
  return () => {
    for (const watcher of watchers) watcher.close();
  };
}

/** In a process of its own, because modules that this one has loaded stay as they were. */
export function checkSaved(): Promise<string | undefined> {
  const script = process.argv[1] ?? "";
  const checks = join(dirname(script), `catalog-check${extname(script)}`);
  const child = spawn(process.execPath, [checks], { stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (said += text));
  return new Promise((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("close", (code) => resolve(code === 0 ? undefined : said.trim()));
  });
}

/** Not on Windows. */
export const canBeginAgain = process.execve !== undefined;

/** Ends this program and begins it again in the same process, so that whoever has started it can still end it. */
export function beginAgain(environment: Readonly<Record<string, string>>): void {
  const args = [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
  process.execve?.(process.execPath, args, { ...process.env, ...environment });
}
