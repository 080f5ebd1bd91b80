/**
 * The bundle contains this list as data computed at build time, because loading the endpoint definitions takes long.
 */
import { placesOf } from "./http/places.ts";
import { loadRoutes, routeFiles } from "./routes.ts";

export const places = await placesOf(routeFiles, loadRoutes);
