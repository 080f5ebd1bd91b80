/** The API's description and a page to try it on. In production the description requires access to the service. */
import { getAsyncApi, getDocsPage, getOpenApi } from "@voice/shared/contracts/http/docs";
import { createAsyncApiDocument } from "../docs/asyncapi.ts";
import { createOpenApiDocument } from "../docs/openapi.ts";
import { docsPage } from "../docs/page.ts";
import { answer, route, type Route } from "../http/route.ts";
import { httpBaseUrl, streamingBaseUrl } from "../services/addresses.ts";

export const docsRoutes: readonly Route[] = [
  route(getDocsPage)(async () => ({ status: 200, ...(await docsPage()) })),
  answer(getOpenApi)(async ({ request }, dependencies) => {
    const body = { ...(await createOpenApiDocument(httpBaseUrl(dependencies.settings, request.url))) };
    return body;
  }),
  answer(getAsyncApi)(({ request }, dependencies) => {
    const body = { ...createAsyncApiDocument(streamingBaseUrl(dependencies.settings, request.url)) };
    return Promise.resolve(body);
  }),
];
