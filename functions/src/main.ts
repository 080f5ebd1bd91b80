/**
 * The entry file. It only registers the routes, so that a new instance is announced quickly. The handlers are loaded
 * right afterwards, while the host indexes the functions; the first request composes the dependencies.
 */
import { app } from "@azure/functions";
import { registerPlaces } from "./http/register.ts";
import { places } from "./places.ts";

async function loadHandlers() {
  await import("./http/parse-without-compiling.ts");
  const { handlersOf, closeDependencies } = await import("./handlers.ts");
  return { handlerOf: handlersOf(places), closeDependencies };
}

let handlers: ReturnType<typeof loadHandlers> | undefined;

registerPlaces(app, places, async (name) => (await (handlers ??= loadHandlers())).handlerOf(name));
app.hook.appTerminate(async () => (await handlers)?.closeDependencies());
// A failure will occur again at the first request, which reports it.
setImmediate(() => void (handlers ??= loadHandlers()).catch(() => undefined));
