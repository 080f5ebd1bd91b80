/**
 * `npm run doctor [-- --json]`: asks every service that the settings name for exactly what the product takes for granted of
 * it (docs/vendors). One line each; the exit code is 1 when something is wrong. Nothing that it does costs more than a word.
 */
import { parseArgs } from "node:util";
import { readEnvironment } from "@voice/shared/config/read-environment";
import { systemClock } from "@voice/shared/platform/clock";
import { examine } from "./examine.ts";
import { toJson, toLines } from "./report.ts";

const { values } = parseArgs({ options: { json: { type: "boolean", default: false } } });
const findings = await examine(readEnvironment(), systemClock);
process.stdout.write(`${values.json ? toJson(findings) : toLines(findings)}\n`, () =>
  // A library that lingers over a connection must not hold up the report.
  process.exit(findings.every(({ ok }) => ok) ? 0 : 1),
);
