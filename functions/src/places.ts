/** The bundle holds this list as data, worked out when it was made: the endpoints' definitions take long to read. */
import { placesOf } from "./http/places.ts";
import { loadRoutes, routeFiles } from "./routes.ts";

export const places = await placesOf(routeFiles, loadRoutes);
