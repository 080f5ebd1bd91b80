/** Describes the machine on which the measurement ran. */
import { cpus, release, totalmem, type } from "node:os";

export interface Machine {
  readonly processor: string;
  readonly cores: number;
  readonly memoryGb: number;
  readonly system: string;
  readonly node: string;
  /** The server had a core of its own. */
  readonly pinned: boolean;
}

/** What follows the two numbers names a build, and so whose machine it is. */
function majorMinor(version: string): string {
  return version.split(".", 2).join(".");
}

export function describeMachine(pinned: boolean): Machine {
  return {
    processor: cpus()[0]?.model ?? "unknown",
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 1024 ** 3),
    system: `${type()} ${majorMinor(release())}`,
    node: process.version,
    pinned,
  };
}
