/**
 * One definition per endpoint. Registration, validation, handler types, the OpenAPI document and the contract tests are
 * all derived from it, so that none of them can disagree.
 */
import { z } from "zod";
import type { ProblemType } from "./problem.ts";

/** The path has the major version. Documents are at the root as well. */
export const apiPrefix = "/api/v1";

export const apiVersion = "1.0.0";

/** How status documents name the major version. */
export const apiVersionName = "v1";

const methods = ["GET", "POST", "PUT", "DELETE", "OPTIONS"] as const;
export type EndpointMethod = (typeof methods)[number];

/**
 * Who may call. `open`: anybody. `client`: an Entra token if authentication is on; `operator`: an operator's token.
 * Webhooks are authenticated in the way of the service that calls them. `documentation`: open except in production,
 * where it requires the same as `client`.
 */
export type Access =
  | "open"
  | "documentation"
  | "client"
  | "operator"
  | "service-operator"
  | "event-grid"
  | "call-automation"
  | "twilio";

export interface ResponseDefinition {
  readonly description: string;
  /** JSON; absent for a response without a body or of another type. */
  readonly schema?: z.ZodType;
  /** For a body that is not JSON. */
  readonly contentType?: string;
  /** The body consists of bytes, not of text. */
  readonly isBinary?: true;
}

export type Responses = Readonly<Record<number, ResponseDefinition>>;

export interface Endpoint<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Answers extends Responses = Responses,
> {
  /** The function's name in Azure and the OpenAPI operation id. */
  readonly name: string;
  readonly method: EndpointMethod;
  /** Relative to the prefix, with `{parameters}`. */
  readonly path: string;
  /** Served at the root as well as under the prefix. */
  readonly alsoAtRoot?: boolean;
  readonly summary: string;
  readonly description?: string;
  readonly access: Access;
  /** Its answers are large texts, and are sent compressed to clients that take them so. */
  readonly isCompressed?: true;
  /** Whether the audit trail records the requests. If absent, it does if they change something or read a single resource. */
  readonly isAudited?: boolean;
  readonly params: Params;
  readonly query: Query;
  /** Request headers of this endpoint that a client may send, with what they are for. */
  readonly headers?: Readonly<Record<string, string>>;
  /** `noBody` where the request has none. */
  readonly body: Body;
  /** The body is a form (`application/x-www-form-urlencoded`), not JSON; every field is text. */
  readonly isForm?: true;
  readonly responses: Answers;
  /** This endpoint's contract has no 422: an invalid body is answered with 400 and the problem body. */
  readonly refusesWith400?: boolean;
  /** Problem types beyond those that every endpoint of its kind can answer with. */
  readonly problems: readonly ProblemType[];
}

/** Ignores any body that was sent. */
export const noBody = z.undefined();

const nothing = z.object({});

type Definition<
  Params extends z.ZodType,
  Query extends z.ZodType,
  Body extends z.ZodType,
  Answers extends Responses,
> = Omit<Endpoint<Params, Query, Body, Answers>, "method" | "path" | "params" | "query" | "body" | "problems"> &
  Partial<Pick<Endpoint<Params, Query, Body, Answers>, "params" | "query" | "body" | "problems">> & {
    /** The method and the path. */
    readonly at: `${EndpointMethod} /${string}`;
  };

export function defineEndpoint<
  const Answers extends Responses,
  Params extends z.ZodType = typeof nothing,
  Query extends z.ZodType = typeof nothing,
  Body extends z.ZodType = typeof noBody,
>(definition: Definition<Params, Query, Body, Answers>): Endpoint<Params, Query, Body, Answers>;
export function defineEndpoint({
  at,
  ...definition
}: Definition<z.ZodType, z.ZodType, z.ZodType, Responses>): Endpoint {
  const method = methods.find((one) => at.startsWith(`${one} `));
  if (method === undefined) throw new Error(`${at} has no method`);
  const path = at.slice(method.length + 1);
  return { method, path, params: nothing, query: nothing, body: noBody, problems: [], ...definition };
}

/** The endpoints among what these files export, by path. */
export function endpointsIn(...files: readonly Readonly<Record<string, unknown>>[]): readonly Endpoint[] {
  const defined = files.flatMap((file) => Object.values(file)).filter((one) => isEndpoint(one));
  return defined.toSorted((one, other) => (one.path < other.path ? -1 : 1));
}

function isEndpoint(exported: unknown): exported is Endpoint {
  return typeof exported === "object" && exported !== null && "responses" in exported;
}

/** A handler's result: one of the declared statuses with the body declared for it. */
export type ReplyOf<Answers extends Responses> = {
  [Status in keyof Answers & number]: ReplyWith<Status, Answers[Status]>;
}[keyof Answers & number];

type Headers = Readonly<Record<string, string>>;

type ReplyWith<Status extends number, Answer extends ResponseDefinition> = Answer extends {
  readonly schema: infer Schema extends z.ZodType;
}
  ? { readonly status: Status; readonly headers?: Headers; readonly body: z.input<Schema> }
  : Answer extends { readonly isBinary: true }
    ? { readonly status: Status; readonly headers?: Headers; readonly bytes: Uint8Array | AsyncIterable<Uint8Array> }
    : Answer extends { readonly contentType: string }
      ? { readonly status: Status; readonly headers?: Headers; readonly text: string }
      : { readonly status: Status; readonly headers?: Headers };

/** Every route the endpoint is served under, without leading or trailing slash, as Azure Functions wants it. */
export function routesOf(endpoint: Pick<Endpoint, "path" | "alsoAtRoot">): string[] {
  const own = endpoint.path.replace(/\/$/, "");
  const paths = endpoint.alsoAtRoot === true ? [apiPrefix + own, own] : [apiPrefix + own];
  return paths.map((path) => path.slice(1));
}
