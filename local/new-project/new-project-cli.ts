/** `npm run new -- NAME`: creates a project folder that works as it is and says what to change. */
import { makeProject } from "./make-project.ts";
import { runNewProject } from "./run-new-project.ts";

const help = `Makes a folder with two agents, a tool, a scenario and a dialogue, to be changed into yours.

  npm run new -- pizza-desk             ./pizza-desk
  npm run new -- ../bakery/front-line   the folder's name becomes the agents'
  npm run new -- baeckerei --language de  agents that speak German (en, de, fr or es)

A name is of small letters, digits and single hyphens.`;

await runNewProject({
  name: "npm run new",
  help,
  make: makeProject,
  next: (path) => `Next: ${path}/README.md. It begins with\n\n  npm run catalog:check -- ${path}`,
});
