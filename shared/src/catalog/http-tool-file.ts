/** The format of tools/<name>.yaml. */
import { z } from "zod";
import { httpMethods, placeholderPattern, type HttpTool } from "./http-tool.ts";

const text = z.string().min(1).max(2048);
const headerName = /^[!#$%&'*+.^_`|~\w-]{1,64}$/;
/** Headers that the HTTP client itself sets. */
const reservedHeaders: ReadonlySet<string> = new Set(["host", "content-length", "transfer-encoding", "connection"]);

const address = z
  .string()
  .max(2048)
  .refine((url) => !url.includes("{%"), "expected values ({{ … }}) only, not tags")
  .refine((url) => {
    const [origin = ""] = /^https?:\/\/[^/?#]*/.exec(url) ?? [];
    const parsed = URL.parse(url.replaceAll(placeholderPattern, "x"));
    return parsed !== null && origin !== "" && !origin.includes("{{") && parsed.username + parsed.password === "";
  }, "expected an http or https URL whose host is no template, without a user name or a password");

/** No argument could satisfy a property that is required but not described. */
const requirements = z.object({
  required: z.array(z.string()).default([]),
  properties: z.record(z.string(), z.unknown()).default({}),
});

const parameters = z
  .record(z.string(), z.unknown())
  .default({ type: "object", properties: {} })
  .superRefine((schema, context) => {
    const { required, properties } = requirements.catch({ required: [], properties: {} }).parse(schema);
    for (const name of required.filter((one) => !Object.hasOwn(properties, one)))
      context.addIssue({ code: "custom", path: ["required"], message: `"${name}" is not among the properties` });
  })
  .transform((schema, context) => {
    const checked = readSchema(schema);
    if (checked instanceof z.ZodObject) return { schema, checked };
    const wrong = typeof checked === "string" ? wrongProperty(schema) : undefined;
    const message = typeof checked === "string" ? checked : "expected a JSON Schema of an object (type: object)";
    context.addIssue({ code: "custom", path: wrong === undefined ? [] : ["properties", wrong], message });
    return z.NEVER;
  });

export const httpToolFile = z.strictObject({
  description: z.string().min(1).max(1024),
  parameters,
  request: z.strictObject({
    method: z.enum(httpMethods).default("GET"),
    url: address,
    query: z.record(z.string().min(1).max(64), text).default({}),
    headers: z
      .record(z.string(), text)
      .superRefine((headers, context) => {
        for (const name of Object.keys(headers)) {
          const report = (message: string): void => context.addIssue({ code: "custom", path: [name], message });
          if (!headerName.test(name)) report("expected a header's name");
          else if (reservedHeaders.has(name.toLowerCase())) report("this header is not the tool's to set");
        }
      })
      .default({}),
    body: z.json().optional(),
  }),
  response: z
    .strictObject({
      result: z.record(z.string().min(1).max(64), z.string().min(1).max(256)).optional(),
      errors: z.record(z.string().regex(/^[45]\d\d$/, "expected a status such as 404"), text).default({}),
    })
    .prefault({}),
  timeout_ms: z.int().min(100).max(30_000).default(8000),
  max_bytes: z.int().min(100).max(1_000_000).default(64_000),
  side_effects: z.boolean().optional(),
  verified_caller: z.boolean().default(false),
  slow_notice: z.string().min(1).max(256).optional(),
});

export type HttpToolFile = z.infer<typeof httpToolFile>;

export function toHttpTool(name: string, file: HttpToolFile): HttpTool {
  const { method, url, query, headers, body } = file.request;
  return {
    name,
    description: file.description,
    parameters: file.parameters.checked,
    jsonSchema: file.parameters.schema,
    request: { method, url, query, headers, body },
    result: file.response.result && responseFields(file.response.result),
    errors: new Map(Object.entries(file.response.errors).map(([status, words]) => [Number(status), words])),
    timeoutMs: file.timeout_ms,
    maxBytes: file.max_bytes,
    // Among the supported methods HTTP defines only GET as safe.
    hasSideEffects: file.side_effects ?? method !== "GET",
    needsVerifiedCaller: file.verified_caller,
    isIdempotent: method === "PUT" || method === "DELETE",
    slowNotice: file.slow_notice,
  };
}

/** A path that ends with a question mark is of an optional field. */
function responseFields(result: Readonly<Record<string, string>>): HttpTool["result"] {
  return Object.fromEntries(
    Object.entries(result).map(([name, path]) => [
      name,
      { path: path.replace(/\?$/, ""), isRequired: !path.endsWith("?") },
    ]),
  );
}

/** A text says why it is not a JSON Schema, or why nothing can be checked with it. */
function readSchema(schema: Readonly<Record<string, unknown>>): z.ZodType | string {
  try {
    return z.fromJSONSchema(schema);
  } catch (error) {
    // A property that is not a schema at all makes zod's own code throw a TypeError, whose message would help nobody.
    const reason = error instanceof Error && !(error instanceof TypeError) ? ` (${error.message})` : "";
    return `expected a JSON Schema by which arguments can be checked${reason}`;
  }
}

/** Finds the property at fault: the schema cannot be read even if it has only that one. */
function wrongProperty(schema: Readonly<Record<string, unknown>>): string | undefined {
  const { properties } = requirements.catch({ required: [], properties: {} }).parse(schema);
  const others = Object.fromEntries(Object.entries(schema).filter(([key]) => key !== "required"));
  return Object.entries(properties).find(
    ([name, property]) => typeof readSchema({ ...others, properties: { [name]: property } }) === "string",
  )?.[0];
}
