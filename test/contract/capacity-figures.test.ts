/** How many hosts operators are told to run, and what a host is allowed to take, follow from the published benchmark. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { z } from "zod";

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

const median = z.object({ median: z.number() });
const row = z.object({
  subject: z.string(),
  sessions: z.number(),
  cpuMsPerSessionSecond: median,
  heapKbPerSession: median,
});
const modes: ReadonlyMap<string, string> = new Map([
  ["cascade", "MEDIA"],
  ["voice-live", "VOICE_LIVE"],
]);
const other = z.object({ title: z.string(), text: z.string() });
const { rows, others } = z
  .object({ rows: z.array(row), others: z.array(other) })
  .parse(JSON.parse(read("docs/benchmarks/results.json")));
/** Hosts are sized by how they are when they are full. */
const ours = rows.filter(({ subject, sessions }) => modes.has(subject) && sessions >= 200);
/** Of the milliseconds in a second, what is not kept for collecting garbage and for bursts. */
const usableMs = 600;
const conversations = ours.map(({ cpuMsPerSessionSecond: { median: cpuMs } }) => Math.floor(usableMs / cpuMs));

it("is what the guide for operators says", () => {
  const guide = read("docs/operations.md").replaceAll(/ +/g, " ");
  expect(ours).toHaveLength(4);
  for (const { subject, sessions, cpuMsPerSessionSecond: cpu, heapKbPerSession: heap } of ours)
    expect(guide).toContain(
      `| ${sessions} | \`${modes.get(subject)}\` | ${cpu.median.toFixed(1)} ms | ${heap.median.toFixed(0)} KB |`,
    );
  expect(guide).toContain(`${Math.min(...conversations)} conversations by the dearest row`);
  expect(guide).toContain(`${Math.max(...conversations)} by the cheapest`);
});

it("is not exceeded by what the templates let a host take", () => {
  const allowed = [...read("infra/sizes.json").matchAll(/"maxSessions": (\d+)/g)].map(([, most]) => Number(most));
  expect(allowed).toHaveLength(2);
  for (const most of allowed) expect(most).toBeLessThanOrEqual(Math.min(...conversations));
});

it("is what ten thousand calls are said to take", () => {
  const page = read("docs/benchmarks.md").replaceAll(/\s+/g, " ");
  const cpuOf = (subject: string): number[] =>
    ours.filter((each) => each.subject === subject).map(({ cpuMsPerSessionSecond: { median: cpuMs } }) => cpuMs);
  const least = Math.min(...cpuOf("cascade")).toFixed(1);
  const most = Math.max(...cpuOf("voice-live")).toFixed(1);
  expect(page).toContain(`${least} (\`MEDIA\`) to ${most} ms (\`VOICE_LIVE\`)`);
  expect(page).toContain(`${(Number(least) * 10).toFixed(0)} to ${(Number(most) * 10).toFixed(0)} of their cores busy`);
  const ofTurn = /a turn: ([\d.]+) round trips, ([\d.]+) commands/.exec(others.map(({ text }) => text).join("\n"));
  expect(page).toContain(`a turn is ${ofTurn?.[1]} round trips and ${ofTurn?.[2]} commands`);
});
