/** The one entry file: registers every route. Nothing is opened here; the first request composes what it needs. */
import { app } from "@azure/functions";
import { closeDependencies, reportedDependencies } from "./compose.ts";
import { registerRoutes } from "./http/register.ts";
import { routes } from "./routes.ts";

registerRoutes(app, routes, reportedDependencies);
app.hook.appTerminate(closeDependencies);
