/** `MCP_SERVERS`: tool servers over streamable HTTP, or started as child processes that speak over stdio. */
import { z } from "zod";
import { parseJson } from "../platform/parse-json.ts";
import { exactHttpUrl, type Kind } from "./kinds.ts";
import { pairsIn } from "./pairs.ts";
import { hidden, withoutQuery } from "./shown-values.ts";

const namedSecret = /\{\{\s*secrets\.([A-Z][A-Z0-9_]*)\s*\}\}/g;

/** In any notation; a placeholder that is not filled in would be sent literally. */
function mentionsSecrets(value: string): boolean {
  return /\{\{\s*secrets\b/i.test(value);
}

const serverName = z.string().regex(/^[a-z][a-z0-9_-]{0,31}$/);

/**
 * Values may refer to `{{ secrets.NAME }}` from TOOL_SECRETS, because keys do not belong in a setting whose value is
 * shown.
 */
const withSecrets = z
  .string()
  .regex(/^[^\r\n]*$/)
  .refine((value) => !mentionsSecrets(value.replaceAll(namedSecret, "")));
/** Secrets are not filled in here, because addresses and arguments are visible in process lists and in the logs of others. */
const withoutSecrets = z.string().refine((value) => !mentionsSecrets(value));

/** OAuth client credentials. Either `issuer` or `token_url` says where the secret is sent. */
const oauth = z
  .strictObject({
    client_id: z.string().min(1),
    client_secret: withSecrets.regex(/\{\{\s*secrets\./),
    issuer: exactHttpUrl.schema.optional(),
    token_url: exactHttpUrl.schema.optional(),
    scope: z.string().min(1).optional(),
  })
  .refine(({ issuer, token_url }) => issuer !== undefined || token_url !== undefined);

export type McpOAuth = z.infer<typeof oauth>;

/** Its tools run only for a caller whose identity has been verified. */
const verifiedCaller = z.boolean().optional();

const reachedServer = z.strictObject({
  name: serverName,
  verified_caller: verifiedCaller,
  url: withoutSecrets.pipe(exactHttpUrl.schema),
  headers: z.record(z.string().regex(/^[!#$%&'*+.^_`|~\w-]+$/), withSecrets).optional(),
  oauth: oauth.optional(),
});
const startedServer = z.strictObject({
  name: serverName,
  verified_caller: verifiedCaller,
  command: withoutSecrets.min(1),
  args: z.array(withoutSecrets).default([]),
  env: z.record(z.string().regex(/^[A-Za-z_]\w*$/), withSecrets).optional(),
});
const mcpServer = z.union([reachedServer, startedServer]);

export type McpServer = z.infer<typeof mcpServer>;

const says =
  "name=url pairs separated by commas, or a JSON array of {name, url, headers, oauth: {client_id, client_secret, issuer or token_url, scope}} and {name, command, args, env}, each with verified_caller perhaps";

const servers = z
  .array(mcpServer)
  .refine((list) => new Set(list.map(({ name }) => name)).size === list.length, "This names a server twice")
  // Its tool `a_b` and the tool `b` of the other server would have the same name, and calls would go to whichever was connected first.
  .refine(
    (list) => !list.some(({ name }) => list.some((other) => other.name.startsWith(`${name}_`))),
    "One server's name begins with another's and _, so that tools of the two would have one name",
  );

export const mcpServerList: Kind<readonly McpServer[]> = {
  says,
  schema: z.string().transform((value, context) => {
    const parsed = servers.safeParse(
      value.startsWith("[") ? parseJson(value) : pairsIn(value).map(({ name, value: url }) => ({ name, url })),
    );
    if (parsed.success) return parsed.data;
    const message = `must be ${says}; names are unique, of lower-case letters, digits, - and _; URLs are https; a client_secret is {{ secrets.NAME }}, which only headers, env and oauth may have, in capital letters${firstMistake(value, parsed.error)}`;
    context.addIssue({ code: "custom", message });
    return z.NEVER;
  }),
};

/** A server's headers or environment variables, with secrets filled in. */
export function fillInSecrets(
  values: Readonly<Record<string, string>>,
  secrets: ReadonlyMap<string, string>,
): Record<string, string> {
  const filled = Object.entries(values).map(([name, value]): [string, string] => [
    name,
    value.replaceAll(namedSecret, (_, secret: string) => secrets.get(secret) ?? ""),
  ]);
  return Object.fromEntries(filled);
}

/**
 * The secret values that a server was sent and might send back: all named secrets, its headers, and the parts of a child's environment that
 * refer to a secret. The rest of an environment is not secret, and useful when a child reports why it ended.
 */
export function secretsGivenTo(server: McpServer, secrets: ReadonlyMap<string, string>): readonly string[] {
  const settings = Object.entries(("command" in server ? server.env : server.headers) ?? {});
  const secretOnes = settings.filter(([, value]) => !("command" in server) || value.search(namedSecret) !== -1);
  const given = Object.values(fillInSecrets(Object.fromEntries(secretOnes), secrets));
  // For `Bearer abc`, the part after the scheme is a secret as well.
  const credentials = given.map((value) => value.slice(value.indexOf(" ") + 1));
  return [...given, ...credentials, ...secrets.values()];
}

/** The names of the secrets that a server refers to. */
export function secretsNamedBy(server: McpServer): readonly string[] {
  const values = "command" in server ? server.env : { ...server.headers, oauth: server.oauth?.client_secret ?? "" };
  return Object.values(values ?? {}).flatMap((value) =>
    [...value.matchAll(namedSecret)].flatMap(([, name]) => name ?? []),
  );
}

/**
 * A server in the form shown to operators. A key that was written here nevertheless (in a header, a query or an argument) is hidden from
 * everybody; a reference to a secret in a header or variable is shown.
 */
export function shownServers(servers: readonly McpServer[]): readonly McpServer[] {
  return servers.map((server) =>
    "command" in server
      ? { ...server, args: server.args.map(() => hidden), ...(server.env && { env: onlyNames(server.env) }) }
      : {
          ...server,
          url: withoutQuery(server.url),
          ...(server.headers && { headers: onlyNames(server.headers) }),
        },
  );
}

// --- module internal ---

function onlyNames(values: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, value.match(namedSecret)?.join(" ") ?? hidden]),
  );
}

/** The position of the mistake, by key and never by value, because the value may be a misplaced key. */
function firstMistake(value: string, { issues: [ofAll] }: z.ZodError): string {
  if (!value.startsWith("[")) return "";
  const list = z.array(z.looseObject({})).safeParse(parseJson(value));
  if (!list.success) return ". This is no JSON array of objects";
  for (const [index, server] of list.data.entries()) {
    const place = `Server ${index + 1} of ${list.data.length}`;
    const [issue] = ("url" in server ? reachedServer : startedServer).safeParse(server).error?.issues ?? [];
    if (issue?.code === "unrecognized_keys") return `. ${place} has the unknown key ${issue.keys.join(", ")}`;
    const unknown = Object.keys(server).filter((key) => !(key in reachedServer.shape) && !(key in startedServer.shape));
    if (unknown.length > 0) return `. ${place} has the unknown key ${unknown.join(", ")}`;
    if (!("url" in server) && !("command" in server)) return `. ${place} has neither url nor command`;
    if (issue !== undefined) return `. ${place} has a mistake at ${issue.path.join(".")}`;
  }
  // Each server is valid by itself, so the mistake is one of all of them together.
  return `. ${ofAll?.message}`;
}
