/** `npm run func`: packages the functions app, and runs it under Azure Functions Core Tools. */
import { fileURLToPath } from "node:url";

const help = `Packages the functions app into out/functions, and runs it there under Azure Functions Core Tools.

  npm run func
  npm run func -- --port 7072      other options are those of \`func start\`

Core Tools are the machine's own, or npm fetches them. The settings are those of npm start: local.settings.json and the environment.
\`npm start\` and \`npm run start:functions\` serve the same functions without them.`;

if (process.argv.slice(2).some((argument) => argument === "--help" || argument === "-h")) console.log(help);
else {
  const { packageFunctions } = await import("./package/package-functions.ts");
  const out = fileURLToPath(new URL("../out/functions", import.meta.url));
  const described = await packageFunctions({ out, sourceMaps: false });
  console.log(`out/functions: ${described}`);
  await import("./run-core-tools.ts");
}
