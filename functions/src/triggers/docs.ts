/** The API's description and the page to try it on. In production they are somebody else's map: 404. */
import { getAsyncApi, getDocsPage, getOpenApi } from "@voice/shared/contracts/http/docs";
import { BadRequestError } from "@voice/shared/platform/errors";
import type { Dependencies } from "../dependencies.ts";
import { createAsyncApiDocument } from "../docs/asyncapi.ts";
import { createOpenApiDocument } from "../docs/openapi.ts";
import { docsPage } from "../docs/page.ts";
import { route, type Route } from "../http/route.ts";
import { httpBaseUrl, streamingBaseUrl } from "../services/addresses.ts";

export const docsRoutes: readonly Route[] = [
  route(getDocsPage)(async (_input, dependencies) => {
    requireDevelopment(dependencies);
    return { status: 200, ...(await docsPage()) };
  }),
  route(getOpenApi)(async ({ request }, dependencies) => {
    requireDevelopment(dependencies);
    const body = { ...(await createOpenApiDocument(httpBaseUrl(dependencies.settings, request.url))) };
    return { status: 200, body };
  }),
  route(getAsyncApi)(({ request }, dependencies) => {
    requireDevelopment(dependencies);
    const body = { ...createAsyncApiDocument(streamingBaseUrl(dependencies.settings, request.url)) };
    return Promise.resolve({ status: 200, body });
  }),
];

function requireDevelopment({ settings }: Dependencies): void {
  if (settings.environment === "production") {
    throw new BadRequestError("not_found", "The documentation is not served in production.");
  }
}
