#!/usr/bin/env node
// failed-files.mjs REPORT: prints which test files have failed, one a line, where a second try of them can excuse the run. It ends with 1
// where it cannot: after an error outside of every test, without a report, and where so many files failed that it was no chance.
import { readFileSync } from "node:fs";
import { relative } from "node:path";

const mostFiles = 10;
const { testResults, unhandledErrors } = JSON.parse(readFileSync(process.argv[2], "utf8"));
const failed = testResults.filter((file) => file.status === "failed");
if (failed.length === 0 || failed.length > mostFiles || unhandledErrors.length > 0) process.exit(1);
for (const file of failed) console.log(relative(process.cwd(), file.name));
