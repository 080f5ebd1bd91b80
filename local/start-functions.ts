/**
 * `npm run start:functions [-- --port 7071]`: the functions app alone, from source, as the Functions host would run it.
 * Set CACHE_HOST to share state with streaming hosts.
 */
import { fileURLToPath } from "node:url";
import { foreignHostProblem } from "@voice/shared/auth/foreign-host";
import { ConfigurationError } from "@voice/shared/config/configuration-error";
import { explainStartFailure } from "@voice/shared/config/explain-start-failure";
import { z } from "zod";
import { dependencies } from "../functions/src/compose.ts";
import { readToolArguments } from "./command-line/tool-arguments.ts";
import { loadFunctionsApp } from "./functions-host/functions-app.ts";
import { serveFunctions } from "./functions-host/serve.ts";

/** Where Core Tools serve as well; the streaming host has 8080. */
const defaultPort = "7071";

async function start(): Promise<void> {
  const { values } = readToolArguments({
    name: "npm run start:functions",
    help: `The functions app alone, from source. Set CACHE_HOST to share state with streaming hosts.

  npm run start:functions -- --port 7072

  --port PORT    where it listens (${defaultPort})`,
    options: { port: z.string().default(defaultPort) },
  });
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new ConfigurationError([`--port ${values.port} is not a port`]);
  // The app composes itself at its first request; a mistake should show before that.
  const { settings, logger } = await dependencies();
  const app = await loadFunctionsApp(fileURLToPath(new URL("../functions/src/main.ts", import.meta.url)), logger);
  const problemOfHost = (asked: string | undefined): string | undefined => foreignHostProblem(asked, settings);
  const served = await serveFunctions(app, { host: settings.host, port, logger, problemOfHost });
  console.log(`${app.table.routes.length} functions at ${served.url}, described at ${served.url}/docs`);
  const stop = (): void => {
    served.close().catch((error: unknown) => {
      console.error(error);
      process.exitCode = 1;
    });
  };
  process.once("SIGINT", stop);
  process.once("SIGTERM", stop);
}

start().catch((error: unknown) => {
  console.error(explainStartFailure(error, "npm run start:functions -- --port 7072"));
  // Not only an exit code: by now there may be connections to Redis, which would keep the process alive without a port.
  process.exit(1);
});
