#!/usr/bin/env node
// Holds docs/ends.md against the files that it names and against the calendar: a version that is no longer there makes a row
// untrue, and an end that is near must have somebody's answer.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = new URL("..", import.meta.url);
const warnedDays = 60;
const day = 86_400_000;
const today = Date.now();

const problems = [];
const rows = readFileSync(fileURLToPath(new URL("docs/ends.md", root)), "utf8")
  .split("\n")
  .filter((line) => line.startsWith("| ") && !/^\| (?:interface|---)/.test(line));
for (const row of rows) {
  const [what, version, file, end, takesOver] = row
    .split("|")
    .slice(1)
    .map((cell) => cell.trim());
  const text = version.replaceAll("`", "");
  if (!readFileSync(fileURLToPath(new URL(file.replaceAll("`", ""), root)), "utf8").includes(text))
    problems.push(`${what}: ${file} has no ${version} any more; correct the row or remove it`);
  if (end === "none announced") continue;
  const days = Math.ceil((Date.parse(end) - today) / day);
  if (Number.isNaN(days)) problems.push(`${what}: "${end}" is neither a date nor "none announced"`);
  else if (days <= 0) problems.push(`${what}: ended on ${end}; replace ${version}`);
  else if (days <= warnedDays && !takesOver.startsWith("by itself"))
    problems.push(`${what}: ends on ${end}, in ${days} days; replace ${version}, or say what takes over by itself`);
}
for (const problem of problems) console.error(`docs/ends.md: ${problem}`);
if (rows.length === 0 || problems.length > 0) process.exitCode = 1;
else
  console.log(
    `${rows.length} versions of vendors' interfaces, none of which ends unanswered within ${warnedDays} days`,
  );
