/**
 * The one entry file: registers every route, and nothing else, so that a new instance is soon known to be there. What
 * answers is read right behind it, while the host takes note of the functions; the first request composes what it needs.
 */
import { app } from "@azure/functions";
import { registerPlaces } from "./http/register.ts";
import { places } from "./places.ts";

async function loadHandlers() {
  const { handlersOf, closeDependencies } = await import("./handlers.ts");
  return { handlerOf: handlersOf(places), closeDependencies };
}

let handlers: ReturnType<typeof loadHandlers> | undefined;

registerPlaces(app, places, async (name) => (await (handlers ??= loadHandlers())).handlerOf(name));
app.hook.appTerminate(async () => (await handlers)?.closeDependencies());
// A failure is met again, and reported, by the first request.
setImmediate(() => void (handlers ??= loadHandlers()).catch(() => undefined));
