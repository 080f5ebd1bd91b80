/** `npm run hostile`: attacks the service on this machine and prints what came of it. Ends with 1 where something gave way. */
import { figuresTable } from "./figures.ts";
import { fullSuite, runHostileSuite, shortSuite } from "./run-suite.ts";

const size = process.argv.includes("--short") ? shortSuite : fullSuite;
const figures = await runHostileSuite(size, (line) => console.log(line));
console.log(`\n${figuresTable(figures)}`);
const gaveWay = figures.unforeseen.length + figures.unauthorisedAccesses.length + figures.openSocketsLeft;
process.exitCode = gaveWay > 0 ? 1 : 0;
