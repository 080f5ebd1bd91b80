/** Every route of the app. A test holds this list against the endpoint definitions: nothing missing, nothing extra. */
import type { Route } from "./http/route.ts";
import { docsRoutes } from "./triggers/docs.ts";
import { healthRoutes } from "./triggers/health.ts";

export const routes: readonly Route[] = [...healthRoutes, ...docsRoutes];
