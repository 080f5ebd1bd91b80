/**
 * `npm run doctor [-- --json]`: requests from every service that the settings name exactly what the product assumes of it (docs/vendors).
 * One line each; the exit code is 1 if something is wrong. No check costs more than one word of text or speech.
 */
import { readEnvironment } from "@voice/shared/config/read-environment";
import { systemClock } from "@voice/shared/platform/clock";
import { z } from "zod";
import { readToolArguments } from "../command-line/tool-arguments.ts";
import { examine } from "./examine.ts";
import { toJson, toLines } from "./report.ts";

const { values } = readToolArguments({
  name: "npm run doctor",
  help: `Asks every service that the settings name for what the product needs of it, and says what is wrong with the answer.

  npm run doctor              a line for each
  npm run doctor -- --json    the same for programs

The settings come from the environment and from local.settings.json. The exit code is 1 where something is wrong.`,
  options: { json: z.boolean().default(false) },
});
const findings = await examine(readEnvironment(), systemClock);
process.stdout.write(`${values.json ? toJson(findings) : toLines(findings)}\n`, () =>
  // A library that is slow to close a connection must not delay the end.
  process.exit(findings.every(({ ok }) => ok) ? 0 : 1),
);
