/** Which functions a server under load spends its time in: sampled by V8 during the measurement alone, without the start and the warm-up. */
import { Session, type Profiler } from "node:inspector/promises";
import path from "node:path";

/** What one function takes by itself, without those that it calls. */
export interface SelfTime {
  /** Its name and where it is. */
  readonly where: string;
  readonly ms: number;
}

/** Five times as often as V8 does by default: a function that takes 3 µs fifty times a second would hardly be seen. */
const sampleEveryUs = 200;
const root = path.join(import.meta.dirname, "../../..");

/** For the process that load-process.ts has started. */
export function profileOnRequest(): void {
  let stop: (() => Promise<SelfTime[]>) | undefined;
  const answer = async (asked: "start profile" | "stop profile"): Promise<void> => {
    if (asked === "start profile") stop = await startProfile();
    process.send?.(asked === "stop profile" ? await stop?.() : []);
  };
  process.on("message", (asked) => {
    if (asked === "start profile" || asked === "stop profile") void answer(asked);
  });
}

/** Returns a function that ends the sampling. */
async function startProfile(): Promise<() => Promise<SelfTime[]>> {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.setSamplingInterval", { interval: sampleEveryUs });
  await session.post("Profiler.start");
  return async () => {
    const { profile } = await session.post("Profiler.stop");
    session.disconnect();
    return selfTimes(profile);
  };
}

/** Longest first. */
function selfTimes({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile): SelfTime[] {
  const names = new Map(nodes.map(({ id, callFrame }) => [id, nameOf(callFrame)]));
  const times = new Map<string, number>();
  for (const [at, id] of samples.entries()) {
    const where = names.get(id) ?? "";
    if (where === "(idle)" || where.startsWith("post node:inspector")) continue; // the latter ends the sampling
    times.set(where, (times.get(where) ?? 0) + (timeDeltas[at] ?? 0) / 1000);
  }
  return [...times].map(([where, ms]) => ({ where, ms })).toSorted((a, b) => b.ms - a.ms);
}

function nameOf({ functionName, url, lineNumber }: Profiler.ProfileNode["callFrame"]): string {
  // Files of the repository by their path in it; V8's own entries have none.
  const file = url.startsWith("file:") ? path.relative(root, new URL(url).pathname) : url;
  const name = functionName === "" ? "(anonymous)" : functionName;
  return file === "" ? name : `${name} ${file}:${lineNumber + 1}`;
}

/** The first lines of the profiles of several runs, added up. */
export function toProfileTable(runs: readonly (readonly SelfTime[])[], lines = 10): string {
  const sums = new Map<string, number>();
  let total = 0;
  for (const { where, ms } of runs.flat()) {
    sums.set(where, (sums.get(where) ?? 0) + ms);
    total += ms;
  }
  return [...sums]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, lines)
    .map(([where, ms]) => `${((100 * ms) / total).toFixed(1).padStart(5)} %  ${where}`)
    .join("\n");
}
