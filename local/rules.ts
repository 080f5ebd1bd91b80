/**
 * `npm run rules`: every numbered rule of docs/*.md, or each part of it (`RULE-4a`), must be cited by the name of a test, as
 * `[RULE-N]`, every citation must name a rule that exists, and no rule may be longer than one claim. Exits non-zero otherwise.
 */
import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { readToolArguments } from "./command-line/tool-arguments.ts";
import { checkRules } from "./rules/check-rules.ts";

const help = `Checks that every numbered rule of docs/*.md is cited by the name of a test and is no longer than sixty words, and that every citation
names a rule.

  npm run rules`;

readToolArguments({ name: "npm run rules", help });

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (pattern: string) =>
  globSync(pattern, { cwd: root, exclude: ["**/node_modules/**", "out/**"] }).map((path) => ({
    path,
    text: readFileSync(`${root}/${path}`, "utf8"),
  }));

const result = checkRules(read("docs/*.md"), [
  ...read(
    "{shared,provider-kit,local-voice,streaming-host,functions,local,client-kit,console,test}/**/*.test.{ts,tsx}",
  ),
  ...read("{shared,provider-kit,local-voice,streaming-host,functions,local,client-kit,console,test}/**/*contract.ts"),
]);
for (const { id, path } of result.untested) console.error(`no test cites [${id}] (${path})`);
for (const { id, path, hasParts } of result.unknown)
  console.error(
    hasParts
      ? `[${id}] has parts, cited in ${path}: cite the part that the test proves`
      : `[${id}] does not exist, cited in ${path}`,
  );
for (const { id, path, words } of result.tooLong)
  console.error(
    `[${id}] has ${words} words (${path}): split it into parts (${id}a, ${id}b) of one claim each, with a test for each`,
  );
if (result.untested.length + result.unknown.length + result.tooLong.length > 0) process.exitCode = 1;
else console.log(`${result.ruleCount} rules, each with a test.`);
