/** The rows as a page with plots: one for each figure, a line for each server, sessions from left to right. */
import type { Machine } from "./machine.ts";
import type { Row, Spread } from "./summarise.ts";

const width = 590;
const height = 300;
const margin = { left: 60, right: 150, top: 36, bottom: 40 };
const colours = ["#888888", "#0b6bcb", "#38a3f5", "#bbbbbb", "#c2410c", "#d0a000", "#15803d", "#7e22ce", "#db2777"];

interface Plot {
  readonly title: string;
  readonly figure: (row: Row) => Spread;
}

const plots: readonly Plot[] = [
  { title: "First audio, p99 in ms", figure: ({ firstAudioP99 }) => firstAudioP99 },
  { title: "First audio, p50 in ms", figure: ({ firstAudioP50 }) => firstAudioP50 },
  { title: "Interruption to silence, p99 in ms", figure: ({ stopP99 }) => stopP99 },
  { title: "Worst lateness of a frame, in ms", figure: ({ worstLatenessMs }) => worstLatenessMs },
  { title: "CPU-ms per session-second", figure: ({ cpuMsPerSessionSecond }) => cpuMsPerSessionSecond },
  { title: "Resident memory, in MB", figure: ({ rssMb }) => rssMb },
];

export function toPage(rows: readonly Row[], machine: Machine): string {
  const described = Object.entries(machine).map(([name, value]) => `${name}: ${value}`);
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Benchmarks</title>
<style>body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem; } svg { margin: 0 1rem 1rem 0; }</style></head>
<body><h1>Benchmarks</h1><p>${described.map(escape).join("; ")}</p>
${plots.map((plot) => toSvg(plot, rows)).join("\n")}
</body></html>
`;
}

/** Both axes are logarithmic, because figures and numbers of sessions differ by powers of ten. */
function toSvg({ title, figure }: Plot, all: readonly Row[]): string {
  const rows = all.filter((row) => figure(row).median > 0);
  const subjects = [...new Set(rows.map(({ subject }) => subject))];
  const sessions = [...new Set(rows.map((row) => row.sessions))].toSorted((one, other) => one - other);
  const values = rows.flatMap((row) => [figure(row).least, figure(row).most]).filter((value) => value > 0);
  const x = toScale(sessions, margin.left, width - margin.right);
  const y = toScale(values, height - margin.bottom, margin.top);
  const ticks = sessions.map(
    (count) => `<text x="${x(count)}" y="${height - margin.bottom + 18}" text-anchor="middle">${count}</text>`,
  );
  const grid = powersBetween(values).map(
    (value) =>
      `<line x1="${margin.left}" x2="${width - margin.right}" y1="${y(value)}" y2="${y(value)}" stroke="#eee"/>` +
      `<text x="${margin.left - 8}" y="${y(value) + 4}" text-anchor="end">${value}</text>`,
  );
  const lines = subjects.map((subject, at) => {
    const colour = colours[at % colours.length];
    const own = rows.filter((row) => row.subject === subject).toSorted((one, other) => one.sessions - other.sessions);
    const points = own.map((row) => `${x(row.sessions)},${y(figure(row).median)}`);
    const spreads = own.map(
      (row) =>
        `<line x1="${x(row.sessions)}" x2="${x(row.sessions)}" y1="${y(figure(row).least)}" y2="${y(figure(row).most)}" stroke="${colour}"/>`,
    );
    const name = `<text x="${width - margin.right + 10}" y="${margin.top + 18 * at}" fill="${colour}">${escape(subject)}</text>`;
    return `<polyline points="${points.join(" ")}" fill="none" stroke="${colour}" stroke-width="2"/>${spreads.join("")}${name}`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="sans-serif" font-size="12" role="img"><title>${escape(title)}</title>
<text x="${margin.left}" y="18" font-size="14">${escape(title)}</text>${[...grid, ...ticks, ...lines].join("\n")}</svg>`;
}

function toScale(values: readonly number[], from: number, to: number): (value: number) => number {
  const least = Math.log10(Math.min(...values));
  const range = Math.log10(Math.max(...values)) - least || 1;
  return (value) =>
    Math.round((from + ((Math.log10(Math.max(value, 10 ** least)) - least) / range) * (to - from)) * 10) / 10;
}

/** 1, 2 and 5 times powers of ten. */
function powersBetween(values: readonly number[]): number[] {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const powers = Array.from({ length: 12 }, (_, at) => at - 4);
  return powers
    .flatMap((power) => [1, 2, 5].map((digit) => Number((digit * 10 ** power).toPrecision(1))))
    .filter((value) => value >= least && value <= most);
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
