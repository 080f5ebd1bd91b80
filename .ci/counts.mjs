#!/usr/bin/env node
// counts.mjs REPORTS STATUS: names what failed and what needed a second try, and prints the true counts as the last line.
// The end of a log is what people are shown of it, and a failure may have been printed twenty minutes before.
import { existsSync, readFileSync } from "node:fs";
import { relative } from "node:path";

const [folder, status] = process.argv.slice(2);
let passed = 0;
let failed = 0;
for (const name of ["tests", "browser", "engines", "resilience"]) {
  try {
    const report = read(name);
    const second = existsSync(`${folder}/${name}-again.json`) ? read(`${name}-again`) : undefined;
    for (const file of report.testResults) {
      const again = second?.testResults.find((other) => other.name === file.name);
      // A file passes or fails as a whole in its second try: what it starts is new for all its tests.
      const counted = again ?? file;
      passed += counted.assertionResults.filter((test) => test.status === "passed").length;
      if (again !== undefined && again.status !== "failed") sayAll("needed a second try", file);
      if (counted.status === "failed") failed += sayAll("failed", counted);
      // What the first try says of a failure is not always what the second says.
      if (again?.status === "failed") sayAll("had failed in the first try, too", file);
    }
    for (const error of [report, second].flatMap((run) => run?.unhandledErrors ?? [])) {
      failed += 1;
      say(`failed: ${name}, outside of every test`, [error]);
    }
  } catch (error) {
    console.log(`no report of the ${name}: ${error.message}`);
    failed += 1;
  }
}
// The gate failed, or a run that ended badly although every test in it passed.
if (Number(status) !== 0 && failed === 0) failed = 1;
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;

function read(name) {
  return JSON.parse(readFileSync(`${folder}/${name}.json`, "utf8"));
}

/** How many failures a file has: one that could not be loaded has no tests in it and has failed all the same. */
function sayAll(outcome, file) {
  const path = relative(process.cwd(), file.name);
  const failures = file.assertionResults.filter((test) => test.status === "failed");
  for (const test of failures) say(`${outcome}: ${path} > ${test.fullName}`, test.failureMessages);
  if (failures.length === 0) say(`${outcome}: ${path}`, [file.message]);
  return Math.max(failures.length, 1);
}

/** What failed, and the beginning of why, without what leads through the test runner: the whole of it is where the test ran. */
function say(what, messages) {
  console.log(what);
  for (const message of messages) {
    const lines = String(message)
      .split("\n")
      .filter((line) => !/^ +at .*(?:node_modules|new Promise)/.test(line));
    console.log(`  ${lines.slice(0, 12).join("\n  ")}`);
  }
}
