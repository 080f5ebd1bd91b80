/** `npm run start:host`: a streaming host alone, from source. Set CACHE_HOST to share state with the functions app. */
import { readToolArguments } from "./command-line/tool-arguments.ts";

readToolArguments({
  name: "npm run start:host",
  help: `A streaming host alone, from source. Set CACHE_HOST to share state with the functions app.

  PORT=8081 npm run start:host    settings come from the environment and from local.settings.json: docs/settings.md lists them`,
});
await import("../streaming-host/src/main.ts");
