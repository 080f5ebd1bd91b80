/** The HTTP API as an OpenAPI 3.1 document, derived from the endpoint definitions. */
import { setImmediate } from "node:timers/promises";
import { apiPrefix, apiVersion, noBody, type Access, type Endpoint } from "@voice/shared/contracts/http/endpoint";
import { endpointsByTag } from "@voice/shared/contracts/http/endpoints";
import { webhookEvents, webhookHeaders } from "@voice/shared/contracts/webhooks/webhook-event";
import { httpValidationError, problem, problemStatuses, type ProblemType } from "@voice/shared/contracts/http/problem";
import { z } from "zod";
import { createSchemaCollector, type JsonSchema, type SchemaCollector } from "./json-schemas.ts";

/** In the order in which a page shows them. */
const tagDescriptions: Readonly<Record<string, string>> = {
  Health: "Whether the service lives and is ready, what it consists of, and who has done what.",
  Access: "Where people sign in, and what the caller may do.",
  Calls: "Phone calls: placing, listing and ending them, and what the communication service delivers.",
  Media: "Audio in a format that is agreed on first.",
  Realtime: "The sockets' status, and the tickets that open them.",
  Telephony: "The bridge to a telephony platform.",
  Browser: "Conversations in a browser.",
  Agents: "Agents, their tools and their published versions.",
  Conversations: "All conversations with what became of them, and numbers over days.",
  Sessions: "One conversation: its history, its files, and stepping into it.",
  Scenarios: "Which agents a conversation has, and who begins.",
  Profiles: "Made-up customers of the demonstration.",
  Documentation: "This document, that of the sockets, and a page that shows both.",
  Webhooks: "What the service sends to your servers.",
};

/** The schemas never change while the process runs, and take a tenth of a second to convert. */
let described: ReturnType<typeof describeEndpoints> | undefined;

export async function createOpenApiDocument(baseUrl: string) {
  const { paths, webhooks, schemas } = await (described ??= describeEndpoints());
  return {
    openapi: "3.1.0",
    info: {
      title: "Voice agent service",
      version: apiVersion,
      description:
        "Voice agents over phone calls, browser conversations and a telephony platform bridge. " +
        "The WebSockets are described at `/docs/asyncapi.json`.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: `${baseUrl.replace(/\/$/, "")}${apiPrefix}`, description: "This service" }],
    security: [{ bearer: [] }, {}],
    tags: Object.entries(tagDescriptions).map(([name, description]) => ({ name, description })),
    paths,
    webhooks,
    components: {
      schemas,
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", bearerFormat: "JWT", description: "Where authentication is on." },
        eventGrid: { type: "apiKey", in: "query", name: "secret", description: "The event subscription's secret." },
        twilio: {
          type: "apiKey",
          in: "header",
          name: "X-Twilio-Signature",
          description: "Twilio's signature of the address and the form.",
        },
        callRequests: { type: "http", scheme: "bearer", description: "The communication service's own token." },
      },
    },
  };
}

/**
 * Converts one endpoint at a time, so that callers' frames go out in between if the streaming host runs in the same
 * process.
 */
async function describeEndpoints() {
  const schemas = createSchemaCollector();
  const paths: Record<string, Record<string, JsonSchema>> = {};
  const tagged = Object.entries(endpointsByTag).flatMap(([tag, ones]) => ones.map((endpoint) => ({ tag, endpoint })));
  for (const { tag, endpoint } of tagged) {
    // The server's URL ends with the prefix, so that paths read as in the specification.
    (paths[endpoint.path] ??= {})[endpoint.method.toLowerCase()] = operation(endpoint, tag, schemas);
    await setImmediate();
  }
  return { paths, webhooks: describeWebhooks(schemas), schemas: schemas.components };
}

/** What the service sends to the addresses in WEBHOOK_URLS. */
function describeWebhooks(schemas: SchemaCollector): Readonly<Record<string, JsonSchema>> {
  const parameters = Object.entries(webhookHeaders).map(([name, description]) => {
    return { name, in: "header", required: true, description, schema: { type: "string" } };
  });
  return Object.fromEntries(
    Object.entries(webhookEvents).map(([type, { summary, schema }]) => [
      type,
      {
        post: {
          operationId: type,
          tags: ["Webhooks"],
          summary,
          description: "Signed as Standard Webhooks defines it. Delivered at least once.",
          security: [],
          parameters,
          requestBody: { required: true, content: { "application/json": { schema: schemas.output(schema) } } },
          responses: {
            "2XX": { description: "Accepted." },
            "410": { description: "Not wanted any more: this event is not sent again." },
            default: { description: "Sent again later." },
          },
        },
      },
    ]),
  );
}

function operation(endpoint: Endpoint, tag: string, schemas: SchemaCollector): JsonSchema {
  const { name, summary, description } = endpoint;
  const parameters = [
    ...parametersOf("path", endpoint.params, schemas),
    ...parametersOf("query", endpoint.query, schemas),
    ...Object.entries(endpoint.headers ?? {}).map(([header, purpose]) => ({
      name: header,
      in: "header",
      required: false,
      description: purpose,
      schema: { type: "string" },
    })),
  ];
  return {
    operationId: name,
    tags: [tag],
    summary,
    description: describeAccess(endpoint.access, description),
    ...securityByAccess[endpoint.access],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(endpoint.body === noBody ? {} : { requestBody: requestBody(endpoint, schemas) }),
    responses: { ...successes(endpoint, schemas), ...failures(endpoint, parameters.length > 0, schemas) },
  };
}

function describeAccess(access: Access, description: string | undefined): string | undefined {
  if (access !== "operator" && access !== "service-operator") return description;
  return [
    description,
    "For operators: the token needs the app role of `OPERATOR_ROLE`, or its subject stands in `OPERATOR_SUBJECTS`.",
    access === "service-operator" ? "Not for those whose token names a tenant (`TENANT_CLAIM`)." : undefined,
  ]
    .filter((text) => text !== undefined)
    .join(" ");
}

function parametersOf(place: "path" | "query", schema: z.ZodType, schemas: SchemaCollector): JsonSchema[] {
  if (!(schema instanceof z.ZodObject)) return [];
  return Object.entries<z.ZodType>(schema.shape).map(([name, field]) => {
    const { description, ...schema } = schemas.output(field);
    const required = place === "path" || !field.safeParse(undefined).success;
    return { name, in: place, required, description, schema };
  });
}

function requestBody({ body, isForm }: Endpoint, schemas: SchemaCollector): JsonSchema {
  const isRequired = !body.safeParse(undefined).success;
  const type = isForm === true ? "application/x-www-form-urlencoded" : "application/json";
  return { required: isRequired, content: { [type]: { schema: schemas.input(body) } } };
}

function successes(endpoint: Endpoint, schemas: SchemaCollector): JsonSchema {
  return Object.fromEntries(
    Object.entries(endpoint.responses).map(([status, { description, schema, contentType, isBinary }]) => {
      if (schema !== undefined) {
        return [status, { description, content: { "application/json": { schema: schemas.output(schema) } } }];
      }
      if (contentType === undefined) return [status, { description }];
      const [mediaType = contentType] = contentType.split(";");
      return [
        status,
        { description, content: { [mediaType]: { schema: isBinary === true ? {} : { type: "string" } } } },
      ];
    }),
  );
}

/** The answers that every endpoint of this kind can give, and those that this one declares. */
function failures(endpoint: Endpoint, hasParameters: boolean, schemas: SchemaCollector): JsonSchema {
  const hasBody = endpoint.body !== noBody;
  const types = new Set<ProblemType>(endpoint.problems);
  types.add("internal_error");
  if (hasBody) types.add("validation_error");
  types.add("forbidden"); // also of what is open: a name that was made to point here (ACCESS-5)
  if (endpoint.access !== "open") for (const type of accessProblems) types.add(type);
  const byStatus = new Map<number, ProblemType[]>();
  for (const type of types) {
    const status = problemStatuses[type];
    byStatus.set(status, [...(byStatus.get(status) ?? []), type]);
  }
  const problems = [...byStatus]
    .filter(([status]) => endpoint.responses[status] === undefined)
    .map(([status, ofStatus]) => [
      String(status),
      {
        description: ofStatus.map((type) => `\`${type}\``).join(", "),
        content: { "application/json": { schema: schemas.output(problem) } },
      },
    ]);
  if (hasBody) {
    const content = { "application/json": { schema: schemas.output(problem) } };
    problems.push(
      ["413", { description: "The body is larger than the service reads.", content }],
      ["415", { description: "The body is compressed in a way that the service does not read.", content }],
    );
  }
  if ((hasBody || hasParameters) && endpoint.refusesWith400 !== true) {
    problems.push([
      "422",
      {
        description: "The request does not fit the schema.",
        content: { "application/json": { schema: schemas.output(httpValidationError) } },
      },
    ]);
  }
  return Object.fromEntries(problems);
}

const accessProblems: readonly ProblemType[] = ["unauthorized", "forbidden", "dependency_not_ready"];

const securityByAccess: Readonly<Record<Access, JsonSchema>> = {
  open: { security: [] },
  documentation: { security: [{ bearer: [] }, {}] },
  // The document's own.
  client: {},
  operator: {},
  "service-operator": {},
  "event-grid": { security: [{ eventGrid: [] }, { bearer: [] }, {}] },
  "call-automation": { security: [{ callRequests: [] }, {}] },
  twilio: { security: [{ twilio: [] }] },
};
