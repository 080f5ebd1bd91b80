#!/usr/bin/env node
// counts.mjs REPORTS STATUS: names what failed, and prints the true counts as the last line.
// The end of a log is what people are shown of it, and a failure may have been printed twenty minutes before.
import { readFileSync } from "node:fs";
import { relative } from "node:path";

const [folder, status] = process.argv.slice(2);
let passed = 0;
let failed = 0;
for (const name of ["tests", "engines", "resilience"]) {
  try {
    const report = JSON.parse(readFileSync(`${folder}/${name}.json`, "utf8"));
    passed += report.numPassedTests;
    failed += report.numFailedTests;
    for (const file of report.testResults) {
      const path = relative(process.cwd(), file.name);
      const failures = file.assertionResults.filter((test) => test.status === "failed");
      for (const test of failures) say(`failed: ${path} > ${test.fullName}`, test.failureMessages);
      // A file that could not be loaded has no tests in it and has failed all the same.
      if (file.status === "failed" && failures.length === 0) {
        failed += 1;
        say(`failed: ${path}`, [file.message]);
      }
    }
  } catch (error) {
    console.log(`no report of the ${name}: ${error.message}`);
    failed += 1;
  }
}
// The gate failed, or a run that ended badly although every test in it passed.
if (Number(status) !== 0 && failed === 0) failed = 1;
console.log(`${passed} passed, ${failed} failed`);

/** What failed, and the beginning of why: the whole of it is where the test ran. */
function say(what, messages) {
  console.log(what);
  for (const message of messages) console.log(`  ${String(message).split("\n").slice(0, 12).join("\n  ")}`);
}
