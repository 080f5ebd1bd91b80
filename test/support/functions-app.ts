import path from "node:path";
import { loadFunctionsApp, type FunctionsApp } from "@voice/local/functions-host/functions-app";

let app: Promise<FunctionsApp> | undefined;

/** The functions app registers its functions when it is loaded, which happens once a process; what it works with can change. */
export function functionsApp(): Promise<FunctionsApp> {
  app ??= loadFunctionsApp(path.join(import.meta.dirname, "../../functions/src/main.ts"));
  return app;
}
