/**
 * The types of settings. Each kind is a zod schema that turns an environment variable's text into a value, with a
 * description for the documentation. Messages complete the sentence "NAME …".
 */
import { z } from "zod";
import { isKnownLanguage, noSuchLanguage } from "../languages/language-tag.ts";
import { isTimeZone } from "../platform/local-day.ts";

export interface Kind<T> {
  readonly schema: z.ZodType<T, string>;
  /** For people: `one of low, medium, high`, `seconds, 1 to 300`. */
  readonly says: string;
}

export const text: Kind<string> = { schema: z.string().min(1), says: "text" };

export const flag: Kind<boolean> = {
  says: "true, false, 1 or 0",
  schema: z
    .string()
    .toLowerCase()
    .pipe(z.enum(["true", "false", "1", "0"], "must be true, false, 1 or 0"))
    .transform((value) => value === "true" || value === "1"),
};

export function oneOf<const T extends readonly [string, ...string[]]>(values: T): Kind<T[number]> {
  const says = `one of ${values.join(", ")}`;
  return { says, schema: z.string().pipe(z.enum(values, `must be ${says}`)) };
}

export function integer(min: number, max: number): Kind<number> {
  return number(min, max, /^-?\d+$/, `a whole number from ${min} to ${max}`);
}

export function decimal(min: number, max: number): Kind<number> {
  return number(min, max, /^-?\d+(\.\d+)?$/, `a number from ${min} to ${max}`);
}

export function milliseconds(min: number, max: number): Kind<number> {
  return number(min, max, /^\d+$/, `milliseconds, ${min} to ${max}`);
}

/** Written in seconds, stored in milliseconds. */
export function seconds(min: number, max: number): Kind<number> {
  const { says, schema } = number(min, max, /^\d+(\.\d+)?$/, `seconds, ${min} to ${max}`);
  return { says, schema: schema.transform((value) => Math.round(value * 1000)) };
}

/** `name=value` pairs of HTTP headers. */
export const headerList = headers("name=value pairs, comma-separated", (value) => value);

/** As OpenTelemetry has them (W3C baggage): with `%20` and `%2C` for the space and the comma in a value. */
export const encodedHeaderList = headers("name=value pairs, comma-separated, with values in URL encoding", decoded);

/**
 * `Name=value` pairs with semicolons between them, with all names of one alternative. The SDKs that read it refuse
 * others with a stack trace that does not name the setting.
 */
export function connectionString(...alternatives: readonly (readonly string[])[]): Kind<string> {
  const says = `a connection string with ${alternatives.map((names) => names.join(" and ")).join(", or ")}`;
  const has = (value: string, name: string): boolean => new RegExp(`(^|;)\\s*${name}=[^;\\s]`, "i").test(value);
  return {
    says,
    schema: z
      .string()
      .refine((value) => alternatives.some((names) => names.every((name) => has(value, name))), `must be ${says}`),
  };
}

export const guid: Kind<string> = matching(
  /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
  "a GUID, for instance 00000000-0000-0000-0000-000000000000",
);

/** As `AC…` in Twilio's console. */
export const twilioSid: Kind<string> = matching(/^AC[0-9a-f]{32}$/i, "AC and 32 hexadecimal digits");

export const phoneNumber: Kind<string> = matching(
  /^\+[1-9]\d{1,14}$/,
  "a phone number in E.164 form (+ and 2 to 15 digits)",
);

/** The language and the region have to exist: otherwise only callers would notice that no recogniser knows them. */
export const languageTag: Kind<string> = {
  says: "a language tag such as en-US",
  schema: z
    .string()
    .regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})+$/, { error: "must be a language tag such as en-US", abort: true })
    .refine(isKnownLanguage, `must be a language tag such as en-US: ${noSuchLanguage}`),
};

export const timeZone: Kind<string> = {
  says: "a time zone such as Europe/Berlin",
  schema: z.string().refine(isTimeZone, "must be a time zone such as Europe/Berlin or UTC"),
};

export const percentage: Kind<string> = matching(/^[+-]\d{1,3}%$/, "a signed percentage such as +3%");

/** Follows the rule of Azure Blob Storage. */
export const containerName: Kind<string> = matching(
  /^(?=.{3,63}$)[a-z0-9]+(-[a-z0-9]+)*$/,
  "3 to 63 small letters, digits and single hyphens",
);

/**
 * The URL of a single resource, stored exactly as it is written: a slash at the end may make a difference to a server, and a signature may
 * end in one.
 */
export const exactHttpUrl: Kind<string> = url("https:", "http:");

/** Paths are appended to this and to the next two. */
export const httpUrl: Kind<string> = withoutSlash(exactHttpUrl);

export const baseHttpUrl: Kind<string> = base(httpUrl);

export const baseWebSocketUrl: Kind<string> = base(withoutSlash(url("wss:", "ws:")));

/** Allows plain http, where it does no harm or another setting allows it. */
export const anyHttpUrl: Kind<string> = {
  says: "an absolute http:// or https:// URL",
  schema: z
    .string()
    .refine(
      (value) => /^https?:$/.test(URL.parse(value)?.protocol ?? ""),
      "must be an absolute http:// or https:// URL",
    ),
};

/** A collector beside the process has no certificate, and gets no secrets and no personal data. */
export const collectorUrl: Kind<string> = withoutSlash(anyHttpUrl);

/** Plain http only if another setting allows the host (`plainHttpModels`). No credentials, and no trailing slash. */
export const serverUrl: Kind<string> = withoutSlash({
  says: "an absolute https:// URL (http:// for loopback addresses, and for hosts in MODEL_PRIVATE_HOSTS)",
  schema: z.string().refine((value) => {
    const parsed = URL.parse(value);
    if (parsed === null || parsed.username !== "" || parsed.password !== "" || parsed.search !== "") return false;
    return parsed.protocol === "https:" || parsed.protocol === "http:";
  }, "must be an absolute https:// or http:// URL without credentials and query"),
});

/** The name of a server whose port is another setting. */
export const hostName: Kind<string> = {
  says: "a host name or an IP address, without a protocol and a port",
  schema: z
    .string()
    .refine(
      (value) =>
        /^\w([\w.-]*\w)?\.?$/.test(value) || (/^[\da-f:.]+$/i.test(value) && URL.canParse(`http://[${value}]`)),
      "must be a host name or an IP address, without a protocol and a port",
    ),
};

/** Part of host names, so the display name of the portal (`West Europe`) is not valid. */
export const region: Kind<string> = matching(/^[a-z][a-z0-9]*$/i, "the short name of a region, such as westeurope");

/** Written as in a URL: with the port unless it is the protocol's default. */
export const hostWithPort: Kind<string> = matching(
  /^([a-z0-9]([a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])(:\d{1,5})?$/,
  "a host in small letters, with its port where that is not the protocol's own",
);

export function listOf<T>(item: Kind<T>): Kind<readonly T[]> {
  return {
    says: `a comma-separated list; each item ${item.says}`,
    schema: z
      .string()
      .transform((value) =>
        value
          .split(",")
          .map((part) => part.trim())
          .filter((part) => part !== ""),
      )
      .pipe(z.array(item.schema)),
  };
}

export const secrets: Kind<readonly string[]> = {
  says: "text without commas, or two such texts with a comma between",
  schema: listOf(text).schema.pipe(
    z.array(z.string()).min(1, "must hold a secret").max(2, "must be at most two secrets"),
  ),
};

// --- module internal ---

function matching(pattern: RegExp, says: string): Kind<string> {
  return { says, schema: z.string().regex(pattern, `must be ${says}`) };
}

function number(min: number, max: number, form: RegExp, says: string): Kind<number> {
  const message = `must be ${says}`;
  return {
    says,
    schema: z.string().regex(form, message).transform(Number).pipe(z.number().min(min, message).max(max, message)),
  };
}

const loopbackHosts: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

export function isLoopback(host: string): boolean {
  return loopbackHosts.has(host) || host === "::1";
}

/** These carry credentials and audio, so the unencrypted protocol is allowed for loopback only. */
function url(secure: "https:" | "wss:", plain: "http:" | "ws:"): Kind<string> {
  const says = `an absolute ${secure}// URL (${plain}// for loopback addresses only)`;
  return {
    says,
    schema: z.string().refine((value) => {
      const parsed = URL.parse(value);
      if (parsed === null || parsed.username !== "" || parsed.password !== "") return false;
      return parsed.protocol === secure || (parsed.protocol === plain && isLoopback(parsed.hostname));
    }, `must be ${says}`),
  };
}

function withoutSlash({ says, schema }: Kind<string>): Kind<string> {
  return { says, schema: schema.transform((value) => value.replace(/\/+$/, "")) };
}

/** `read` returns undefined for a value that is not valid. */
function headers(says: string, read: (value: string) => string | undefined): Kind<Readonly<Record<string, string>>> {
  const message = `must be ${says}`;
  return {
    says,
    schema: z
      .string()
      .regex(/^(\s*[!#$%&'*+.^_`|~\w-]+\s*=[^,\r\n]+)(,\s*[!#$%&'*+.^_`|~\w-]+\s*=[^,\r\n]+)*$/, message)
      .transform((pairs, context) => {
        const list = pairs.split(",").map((pair): [string, string | undefined] => {
          const at = pair.indexOf("=");
          return [pair.slice(0, at).trim(), read(pair.slice(at + 1).trim())];
        });
        const readable = list.flatMap(([name, value]): [string, string][] =>
          value === undefined ? [] : [[name, value]],
        );
        if (readable.length < list.length) context.addIssue({ code: "custom", message });
        return Object.fromEntries(readable);
      }),
  };
}

function decoded(value: string): string | undefined {
  try {
    const text = decodeURIComponent(value);
    return /[\r\n]/.test(text) ? undefined : text;
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

/** The paths that are appended begin with `/api/v1`. */
function base({ says, schema }: Kind<string>): Kind<string> {
  const sentence = `${says}, without a query and without /api/v1`;
  return { says: sentence, schema: schema.refine((value) => !/[?#]|\/api\/v1$/.test(value), `must be ${sentence}`) };
}
