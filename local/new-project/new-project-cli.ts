/** `npm run new -- NAME`: creates a project folder that works as it is and says what to change. */
import { basename, resolve } from "node:path";
import { hasPack, packOf } from "@voice/shared/languages/packs";
import { readToolArguments } from "../command-line/tool-arguments.ts";
import { makeProject } from "./make-project.ts";

const help = `Makes a folder with two agents, a tool, a scenario and a dialogue, to be changed into yours.

  npm run new -- pizza-desk             ./pizza-desk
  npm run new -- ../bakery/front-line   the folder's name becomes the agents'
  npm run new -- baeckerei --language de  agents that speak German (en, de, fr or es)

A name is of small letters, digits and single hyphens.`;

const englishParts =
  "The greetings are in your language, and a language model answers in it. rules.yaml and the dialogue are for the model\nof this machine, which knows English only.\n";

const exitUsage = 2;
const nameForm = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;

async function main(): Promise<number> {
  const { values, positionals } = readToolArguments({
    name: "npm run new",
    help,
    config: {
      options: { language: { type: "string", default: "en-US" } },
      allowPositionals: true,
    },
  });
  const [path, ...more] = positionals;
  if (path === undefined || more.length > 0) {
    console.error(help);
    return exitUsage;
  }
  const { language } = values;
  if (!hasPack(language)) {
    console.error(`There is no language pack for "${language}".\n\n${help}`);
    return exitUsage;
  }
  const folder = resolve(path);
  const name = basename(folder);
  if (!nameForm.test(name)) {
    console.error(`"${name}" is no name for an agent.\n\n${help}`);
    return exitUsage;
  }
  const files = await makeProject({ name, folder, language });
  console.log(`Made ${path}:\n${files.map((file) => `  ${file}`).join("\n")}\n`);
  if (packOf(language).code !== "en") console.log(englishParts);
  console.log(`Next: ${path}/README.md. It begins with\n\n  npm run catalog:check -- ${path}`);
  return 0;
}

try {
  process.exitCode = await main();
} catch (error) {
  const isThere = error instanceof Error && "code" in error && error.code === "EEXIST";
  console.error(isThere ? "This folder exists: choose another name, or delete it first." : String(error));
  process.exitCode = exitUsage;
}
