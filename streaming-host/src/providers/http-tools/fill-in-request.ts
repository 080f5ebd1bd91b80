/** Builds a tool's request for one call by filling its templates with the arguments. Pure. */
import { placeholderPattern, type HttpTool } from "@voice/shared/catalog/http-tool";
import type { Templates } from "@voice/shared/catalog/template";
import { BadRequestError } from "@voice/shared/platform/errors";

export interface FilledRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

type Scope = Readonly<Record<string, unknown>>;

/** Throws a `BadRequestError`, which the model can act on, if an argument does not fit into the address. */
export function fillInRequest(
  { request }: Pick<HttpTool, "request">,
  scope: Scope,
  { templates, secrets }: { readonly templates: Templates; readonly secrets: ReadonlyMap<string, string> },
): FilledRequest {
  const url = new URL(fillInAddress(request.url, scope, templates));
  for (const [name, template] of Object.entries(request.query)) {
    const value = templates.render(template, scope);
    // A query parameter whose argument is absent is omitted.
    if (value !== "") url.searchParams.append(name, value);
  }
  // Secrets are inserted into headers only, because addresses and bodies are stored in the logs of others.
  const headerScope = { ...scope, secrets: Object.fromEntries(secrets) };
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, template]): [string, string] => [
      name.toLowerCase(),
      headerValue(templates.render(template, headerScope)),
    ]),
  );
  const { method, body } = request;
  if (body === undefined) return { method, url, headers, body };
  return {
    method,
    url,
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(fillInBody(body, scope, templates)),
  };
}

/** Each value becomes exactly one segment of the address, whatever characters it contains. */
function fillInAddress(address: string, scope: Scope, templates: Templates): string {
  return address.replaceAll(placeholderPattern, (placeholder) => {
    const value = templates.render(placeholder, scope);
    // These cannot be escaped: an empty segment, "." and ".." lead to another resource.
    if (["", ".", ".."].includes(value))
      throw new BadRequestError("validation_error", "An argument that the address needs has no value.");
    return encodeURIComponent(value.toWellFormed());
  });
}

/**
 * A text that consists of a single value keeps that value's type: `"{{ args.amount }}"` is a number if the amount is
 * one.
 */
function fillInBody(body: unknown, scope: Scope, templates: Templates): unknown {
  if (typeof body === "string") return templates.evaluate(body, scope);
  if (Array.isArray(body)) return body.map((item) => fillInBody(item, scope, templates));
  if (typeof body !== "object" || body === null) return body;
  return Object.fromEntries(Object.entries(body).map(([key, item]) => [key, fillInBody(item, scope, templates)]));
}

/** One line, as UTF-8 bytes: the client sends one byte for each character and rejects characters above 255. */
function headerValue(text: string): string {
  return Buffer.from(text.replaceAll(/\p{Cc}+/gu, " ").trim(), "utf8").toString("latin1");
}
