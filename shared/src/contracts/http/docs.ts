/**
 * The machine-readable description, and a page to try it on. The page itself does not describe the API.
 */
import { defineEndpoint } from "./endpoint.ts";
import { freeForm } from "./fields.ts";

export const getDocsPage = defineEndpoint({
  name: "docsPage",
  at: "GET /docs",
  alsoAtRoot: true,
  isCompressed: true,
  access: "open",
  summary: "A page to read the API and try its calls",
  responses: { 200: { description: "The page.", contentType: "text/html; charset=utf-8" } },
});

export const getOpenApi = defineEndpoint({
  name: "docsOpenApi",
  at: "GET /docs/openapi.json",
  alsoAtRoot: true,
  isCompressed: true,
  access: "documentation",
  summary: "The HTTP API as an OpenAPI 3.1 document",
  responses: { 200: { description: "The document.", schema: freeForm } },
});

export const getAsyncApi = defineEndpoint({
  name: "docsAsyncApi",
  at: "GET /docs/asyncapi.json",
  alsoAtRoot: true,
  isCompressed: true,
  access: "documentation",
  summary: "The WebSockets as an AsyncAPI 3.0 document",
  responses: { 200: { description: "The document.", schema: freeForm } },
});
