/**
 * Runs every handler: request id, access, input and answer. The Functions host answers an exception with an empty 500,
 * so every exception is caught here.
 */
import type { HttpHandler, HttpRequest, HttpResponseInit } from "@azure/functions";
import { CatalogError } from "@voice/shared/catalog/problems";
import { ConfigurationError } from "@voice/shared/config/configuration-error";
import type { Caller } from "@voice/shared/auth/caller";
import type { ReleasedCatalog } from "@voice/shared/catalog/released-catalogs";
import { catalogOfTenant, toolsOfTenant } from "@voice/shared/catalog/tenant-catalog";
import { originProblem } from "@voice/shared/auth/origin";
import { noBody } from "@voice/shared/contracts/http/endpoint";
import { BadRequestError, toVoiceError, VoiceError } from "@voice/shared/platform/errors";
import { createUuid } from "@voice/shared/platform/ids";
import { withinTime } from "@voice/shared/platform/within-time";
import { logFieldsOf } from "@voice/shared/telemetry/traceparent";
import type { Dependencies } from "../dependencies.ts";
import { auditRequest, type RequestAudit } from "./audit.ts";
import { compress } from "./compress.ts";
import { corsHeaders } from "./cors.ts";
import { problemReply, toErrorReply } from "./problems.ts";
import { readForm, readJsonBody } from "./read-body.ts";
import { traceRequest } from "./trace-request.ts";
import type { Reply, Route } from "./route.ts";
import { SchemaError } from "./validation.ts";

export type Provide = () => Promise<Dependencies>;

/** Longer than any dependency's own time-out, shorter than the 230 s after which Azure's load balancer hangs up. */
const deadlineMs = 30_000;

/** `operation`: the path's template, which contains no session id and no call id. */
export function createHandler(answer: Answer, provide: Provide, operation: string): HttpHandler {
  return async (request, { invocationId, traceContext }) => {
    const requestId = requestIdOf(request);
    const path = pathOf(request.url);
    let dependencies: Dependencies;
    try {
      dependencies = await provide();
    } catch (error) {
      return toResponse(notComposedReply(error, path), requestId, {});
    }
    const parent = traceContext?.traceParent ?? request.headers.get("traceparent");
    const traced = traceRequest(dependencies, { method: request.method, operation, invocationId, parent });
    const { traceparent } = traced;
    // Azure files the host's own lines about a request under this id.
    const logger = dependencies.logger.child({ invocationId, ...logFieldsOf(traceparent) });
    const exchange = { request, requestId, path, traceparent };
    const reply = await answerOrProblem(answer, exchange, { ...dependencies, logger });
    traced.end(reply.status);
    const origin = request.headers.get("origin") ?? undefined;
    const cors = corsHeaders(origin, dependencies.settings.corsAllowedOrigins);
    return toResponse(request.method === "HEAD" ? withoutPieces(reply) : reply, requestId, cors);
  };
}

/** The cause was logged when composing failed. The client is informed of the kind of failure and whether it may be temporary. */
function notComposedReply(error: unknown, instance: string): Reply {
  const nowMs = Date.now();
  if (error instanceof ConfigurationError || error instanceof CatalogError) {
    const detail = "The service's configuration is not valid. Its log says what is wrong.";
    return problemReply({ type: "dependency_not_ready", detail, instance, nowMs, retryAfterMs: mendingMs });
  }
  if (error instanceof VoiceError) return toErrorReply(error, instance, nowMs);
  return problemReply({ type: "dependency_not_ready", instance, nowMs });
}

/** A wrong setting stays wrong until it is changed and the app restarted, so this is not retryable. */
const mendingMs = 60_000;

interface Exchange {
  readonly request: HttpRequest;
  readonly requestId: string;
  readonly path: string;
  readonly traceparent: string | undefined;
}

export type Answer = (exchange: Exchange, dependencies: Dependencies) => Promise<Reply>;

/** Access, then input, then the handler. */
export function answerRoute(route: Route): Answer {
  const answer = answerByRoute(route);
  return route.endpoint.refusesWith400 === true ? withoutSchemaErrors(answer) : answer;
}

function answerByRoute(route: Route): Answer {
  const { endpoint } = route;
  const isBodyRequired = !endpoint.body.safeParse(undefined).success;
  const answer = async (
    { request, requestId, path, traceparent }: Exchange,
    dependencies: Dependencies,
    audit: RequestAudit,
  ): Promise<Reply> => {
    if (changesSomething(endpoint)) requireTrustedOrigin(request, dependencies.settings);
    // Whoever has proved who they are and lacks a role is in the audit trail by name.
    const form = endpoint.isForm === true ? await readForm(request) : undefined;
    const { headers, query } = request;
    const credentials =
      form === undefined ? request : { headers, query, form: { target: targetOf(request.url), fields: form } };
    const caller = await dependencies.authorise(endpoint.access, credentials, (identified) => audit.by(identified));
    audit.by(caller);
    const body = form === undefined ? await readBodyOf(endpoint, request, isBodyRequired) : Object.fromEntries(form);
    const reply = await route.handle(
      {
        params: { ...request.params },
        query: Object.fromEntries(request.query),
        body,
        request: {
          requestId,
          url: request.url,
          path,
          header: (name) => request.headers.get(name) ?? undefined,
          caller,
          traceparent,
        },
      },
      seenBy(caller, dependencies),
    );
    const contentType = endpoint.responses[reply.status]?.contentType;
    if (contentType === undefined) return reply;
    return { ...reply, headers: { "content-type": contentType, ...reply.headers } };
  };
  return async (exchange, dependencies) => {
    const audit = auditRequest(dependencies.auditTrail, endpoint, exchange);
    try {
      const reply = await answer(exchange, dependencies, audit);
      audit.answered(reply);
      if (endpoint.isCompressed !== true) return reply;
      return await compress(reply, exchange.request.headers.get("accept-encoding") ?? undefined);
    } catch (error) {
      audit.failed(error);
      throw error;
    }
  };
}

function readBodyOf({ body }: Route["endpoint"], request: HttpRequest, isRequired: boolean): Promise<unknown> {
  return body === noBody ? Promise.resolve(undefined) : readJsonBody(request, isRequired);
}

/** A tenant's callers see its part of the catalog and its tools, in whichever handler (TENANT-5, TENANT-7). */
function seenBy({ tenant }: Caller, dependencies: Dependencies): Dependencies {
  if (tenant === undefined) return dependencies;
  const { catalog, knownTools, releases } = dependencies;
  const seen = ({ catalog: whole, version }: ReleasedCatalog) => ({ catalog: catalogOfTenant(whole, tenant), version });
  return {
    ...dependencies,
    catalog: catalogOfTenant(catalog, tenant),
    knownTools: toolsOfTenant(knownTools, catalog, tenant),
    releases: {
      deployed: async () => seen(await releases.deployed()),
      ofSession: async (...session) => seen(await releases.ofSession(...session)),
    },
  };
}

function changesSomething({ method }: Route["endpoint"]): boolean {
  return method !== "GET" && method !== "OPTIONS";
}

/** Runs before anything else, so that requests from foreign pages are refused before a token is looked at. */
function requireTrustedOrigin({ headers }: HttpRequest, settings: Dependencies["settings"]): void {
  const problem = originProblem((name) => headers.get(name) ?? undefined, settings);
  if (problem !== undefined) throw new BadRequestError("forbidden", problem);
}

function withoutSchemaErrors(answer: Answer): Answer {
  return async (exchange, dependencies) => {
    try {
      return await answer(exchange, dependencies);
    } catch (error) {
      if (!(error instanceof SchemaError)) throw error;
      const fields = error.errors.map(({ loc, msg, type }) => ({ field: loc.join("."), message: msg, code: type }));
      throw new BadRequestError("validation_error", "The request does not fit the schema.", fields);
    }
  };
}

async function answerOrProblem(answer: Answer, exchange: Exchange, dependencies: Dependencies): Promise<Reply> {
  const { clock, logger } = dependencies;
  try {
    return await withinTime(clock, deadlineMs, () => answer(exchange, dependencies), "the handler took too long");
  } catch (error) {
    const reply = toErrorReply(error, exchange.path, clock.wallNow());
    const fields = { requestId: exchange.requestId, status: reply.status };
    if (reply.status === 500) logger.error({ ...fields, error }, "request failed unexpectedly");
    else if (reply.status > 500) logger.warn({ ...fields, ...reasonOf(error) }, "request failed for a dependency");
    return reply;
  }
}

/** Logged without a stack: the failure is in a dependency, and a probe may ask every second. */
function reasonOf(error: unknown): { readonly code: string; readonly reason: string } {
  const { code, message } = toVoiceError(error);
  return { code, reason: message };
}

function toResponse(reply: Reply, requestId: string, cors: Readonly<Record<string, string>>): HttpResponseInit {
  const json = reply.body === undefined ? {} : { "content-type": "application/json" };
  const vary = [cors["vary"], reply.headers?.["vary"]].filter((name) => name !== undefined);
  return {
    status: reply.status,
    headers: {
      "cache-control": "no-store",
      // Browsers ignore it without TLS (RFC 6797, section 8.1), so it may be sent on a developer's machine as well.
      "strict-transport-security": "max-age=31536000",
      "x-content-type-options": "nosniff",
      "x-request-id": requestId,
      ...json,
      ...cors,
      ...reply.headers,
      ...(vary.length > 0 && { vary: vary.join(", ") }),
    },
    body: reply.body === undefined ? (toBody(reply.bytes) ?? reply.text ?? "") : JSON.stringify(reply.body),
  };
}

/** Streamed, so that the host need not hold all of it at once. Hosts that cannot stream buffer it. */
function toBody(bytes: Reply["bytes"]): HttpResponseInit["body"] {
  return isInPieces(bytes) ? ReadableStream.from(bytes) : bytes;
}

/** The server drops the body for HEAD, so nothing is read for it. */
function withoutPieces(reply: Reply): Reply {
  return isInPieces(reply.bytes) ? { ...reply, bytes: new Uint8Array() } : reply;
}

function isInPieces(bytes: Reply["bytes"]): bytes is AsyncIterable<Uint8Array> {
  return bytes !== undefined && !(bytes instanceof Uint8Array);
}

/** The path and the query, as they came. */
function targetOf(url: string): string {
  return url.slice(url.indexOf("/", url.indexOf("//") + 2));
}

/** The URL is known to be absolute and valid; parsing it again would cost more than everything else here. */
function pathOf(url: string): string {
  const start = url.indexOf("/", url.indexOf("//") + 2);
  const end = url.indexOf("?", start);
  return end === -1 ? url.slice(start) : url.slice(start, end);
}

/** The caller's own request id, if it is safe in a header and a log line. */
function requestIdOf(request: HttpRequest): string {
  const given = request.headers.get("x-request-id");
  return given !== null && /^[\w.:-]{1,128}$/.test(given) ? given : createUuid();
}
