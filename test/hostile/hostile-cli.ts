/**
 * `npm run hostile [-- --short] [-- --rounds 4]`: attacks the service on this machine and prints what came of it. Ends with 1
 * where something gave way. Several rounds show whether memory that is not given back is a leak or what the caches may hold.
 */
import { parseArgs } from "node:util";
import { figuresTable } from "./figures.ts";
import { fullSuite, runHostileSuite, shortSuite } from "./run-suite.ts";

const { short, rounds } = parseArgs({
  options: { short: { type: "boolean", default: false }, rounds: { type: "string", default: "1" } },
}).values;
const size = short ? shortSuite : fullSuite;
const figures = await runHostileSuite(size, (line) => console.log(line), Number(rounds));
console.log(`\n${figuresTable(figures)}`);
const gaveWay = figures.unforeseen.length + figures.unauthorisedAccesses.length + figures.openSocketsLeft;
process.exitCode = gaveWay > 0 ? 1 : 0;
