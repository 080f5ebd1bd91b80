/** The one entry file: registers every route. Nothing is opened here; the first request composes what it needs. */
import { app } from "@azure/functions";
import { closeDependencies, dependencies } from "./compose.ts";
import { registerRoutes } from "./http/register.ts";
import { routes } from "./routes.ts";

registerRoutes(app, routes, dependencies);
app.hook.appTerminate(closeDependencies);
