/** The rows as a table in Markdown, which is also what a terminal shows. */
import type { Row, Spread } from "./summarise.ts";

const heads = [
  "sessions",
  "server",
  "first audio p50 / p99 ms",
  "x floor",
  "stop p50 / p99 ms",
  "worst lateness ms",
  "CPU-ms per session-second",
  "x floor",
  "heap KB per session",
  "RSS MB",
  "worst pause ms",
  "turns",
  "lost",
];

export function toTable(rows: readonly Row[]): string {
  const lines = rows.map((row) => cells(row, rows));
  const widths = heads.map((head, at) => Math.max(head.length, ...lines.map((line) => line[at]?.length ?? 0)));
  const toLine = (line: readonly string[]): string =>
    `| ${line.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(" | ")} |`;
  return [toLine(heads), `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`, ...lines.map(toLine)].join(
    "\n",
  );
}

function cells(row: Row, rows: readonly Row[]): string[] {
  const floor = rows.find(({ subject, sessions }) => subject === row.floor && sessions === row.sessions);
  const ratio = (figure: (of: Row) => Spread): string =>
    floor === undefined || floor === row ? "" : (figure(row).median / figure(floor).median).toFixed(2);
  return [
    `${row.sessions}`,
    row.subject,
    `${short(row.firstAudioP50)} / ${long(row.firstAudioP99)}`,
    ratio(({ firstAudioP50 }) => firstAudioP50),
    `${short(row.stopP50)} / ${long(row.stopP99)}`,
    long(row.worstLatenessMs),
    long(row.cpuMsPerSessionSecond),
    ratio(({ cpuMsPerSessionSecond }) => cpuMsPerSessionSecond),
    row.heapKbPerSession.median.toFixed(0),
    row.rssMb.median.toFixed(0),
    long(row.worstPauseMs),
    `${row.turns}`,
    `${row.lost}`,
  ];
}

function short({ median }: Spread): string {
  return median.toFixed(2);
}

function long({ median, least, most }: Spread): string {
  return least === most ? median.toFixed(2) : `${median.toFixed(2)} (${least.toFixed(2)} to ${most.toFixed(2)})`;
}
