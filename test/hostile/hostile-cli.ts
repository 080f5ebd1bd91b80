/** `npm run hostile`: see hostile-arguments.ts for what it takes. Exit code 0 only where the service withstood every attack. */
import { mkdirSync } from "node:fs";
import { argumentsToRun } from "../../local/command-line/tool-arguments.ts";
import { isRedisAvailable } from "../support/installed-programs.ts";
import { figuresTable, isAnyFrameLate } from "./figures.ts";
import { hostileHelp, parseHostileArguments } from "./hostile-arguments.ts";
import { runHostileSuite } from "./run-suite.ts";

const tool = { name: "npm run hostile", help: hostileHelp };
const { plan } = argumentsToRun(tool, parseHostileArguments(process.argv.slice(2), isRedisAvailable));
if (plan.snapshots !== undefined) mkdirSync(plan.snapshots, { recursive: true });
const figures = await runHostileSuite(plan, (line) => console.log(line));
console.log(`\n${figuresTable(figures)}`);
const gaveWay = figures.unforeseen.length + figures.unauthorisedAccesses.length + figures.openSocketsLeft;
process.exitCode = gaveWay > 0 || isAnyFrameLate(figures) ? 1 : 0;
