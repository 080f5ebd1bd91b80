/**
 * The script of the /docs page, as browsers run it: plain JavaScript with its types in comments, because the functions
 * app serves this very file. Text from the documents only ever becomes text nodes.
 */

/**
 * @typedef {{
 *   $ref?: string, type?: string | string[], description?: string, default?: unknown, const?: unknown, enum?: unknown[],
 *   anyOf?: Schema[], oneOf?: Schema[], properties?: Record<string, Schema>, required?: string[], items?: Schema,
 *   minItems?: number, minimum?: number, minLength?: number, pattern?: string,
 * }} Schema
 * @typedef {{ name: string, in: string, required?: boolean, description?: string, schema: Schema }} Parameter
 * @typedef {Record<string, { schema: Schema }>} Content
 * @typedef {{
 *   operationId: string, summary: string, description?: string, tags: string[], parameters?: Parameter[],
 *   requestBody?: { content: Content }, responses: Record<string, { description: string, content?: Content }>,
 * }} Operation
 * @typedef {{
 *   info: { description: string }, servers: { url: string }[], tags: { name: string }[],
 *   paths: Record<string, Record<string, Operation>>, components: { schemas: Record<string, Schema> },
 * }} ApiDocument
 * @typedef {{
 *   address: string, summary: string, description: string, messages: Record<string, unknown>,
 *   bindings?: { ws: { query: { properties?: Record<string, Schema> } } },
 * }} Channel
 * @typedef {{ channels: Record<string, Channel> }} SocketDocument
 * @typedef {Node | string | undefined} Child
 */

const base = location.pathname.replace(/\/$/, "");

/**
 * @template {HTMLElement} T
 * @param {string} id
 * @param {new () => T} kind
 * @returns {T}
 */
function byId(id, kind) {
  const found = document.getElementById(id);
  if (found instanceof kind) return found;
  throw new Error(`the page has no ${id}`);
}

const about = byId("about", HTMLElement);
const operations = byId("operations", HTMLElement);
const tokenField = byId("token", HTMLInputElement);
const filterField = byId("filter", HTMLInputElement);

/**
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} name
 * @param {Partial<HTMLElementTagNameMap[K]>} properties
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[K]}
 */
function element(name, properties, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children.filter((child) => child !== undefined));
  return made;
}

/** @param {...Child} cells One row, a cell for each. */
function row(...cells) {
  return element("tr", {}, ...cells.map((cell) => element("td", {}, cell)));
}

/** @param {string} name @param {boolean | undefined} isRequired */
function fieldName(name, isRequired) {
  return element("span", {}, element("code", { textContent: name }), isRequired === true ? " *" : undefined);
}

/** Thrown where the description is only for those who may use the service. */
class SignInNeeded extends Error {}

/** The token to call with: the one that was typed, or that of whoever signed in to the console in this tab. */
function accessToken() {
  if (tokenField.value !== "") return tokenField.value;
  /** @type {{ accessToken?: unknown, expiresAtMs?: unknown } | null} */
  const kept = JSON.parse(sessionStorage.getItem("voice.tokens") ?? "null");
  const isValid = typeof kept?.expiresAtMs === "number" && kept.expiresAtMs > Date.now();
  return isValid && typeof kept.accessToken === "string" ? kept.accessToken : undefined;
}

/** @param {Headers} headers */
function withToken(headers) {
  const token = accessToken();
  if (token !== undefined) headers.set("authorization", `Bearer ${token}`);
  return headers;
}

/** @param {string} name @returns {Promise<any>} What this very service says of itself. */
async function readDocument(name) {
  const response = await fetch(`${base}/${name}`, { headers: withToken(new Headers()) });
  if (response.status === 401) throw new SignInNeeded();
  if (!response.ok) throw new Error(`${name} answered ${response.status}`);
  return response.json();
}

/** @param {string} reference */
function lastStep(reference) {
  return reference.slice(reference.lastIndexOf("/") + 1);
}

/** @param {Record<string, Schema>} schemas @param {Schema | undefined} schema @returns {Schema} */
function resolve(schemas, schema = {}) {
  return schema.$ref === undefined ? schema : (schemas[lastStep(schema.$ref)] ?? {});
}

/** A value that fits the schema: its default, its first choice, or the smallest thing of its type.
 * @param {Record<string, Schema>} schemas @param {Schema | undefined} given @param {number} depth @returns {unknown} */
function example(schemas, given, depth = 0) {
  const schema = resolve(schemas, given);
  if (schema.default !== undefined) return schema.default;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  const choice = (schema.anyOf ?? schema.oneOf)?.[0];
  if (choice !== undefined) return example(schemas, choice, depth);
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case "object": {
      const required = new Set(schema.required);
      const fields = Object.entries(schema.properties ?? {}).filter(([name]) => required.has(name));
      return Object.fromEntries(fields.map(([name, field]) => [name, example(schemas, field, depth + 1)]));
    }
    case "array":
      return schema.minItems !== undefined && depth < 4 ? [example(schemas, schema.items, depth + 1)] : [];
    case "integer":
    case "number":
      return schema.minimum ?? 0;
    case "boolean":
      return true;
    case "string":
      if (schema.pattern?.includes("[1-9]") === true) return "+14255550123";
      return "text".padEnd(schema.minLength ?? 0, " and more");
    default:
      return null;
  }
}

/** @param {Schema | undefined} schema @returns {string} */
function typeName(schema = {}) {
  if (schema.$ref !== undefined) return lastStep(schema.$ref);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return choices.map((choice) => typeName(choice)).join(" | ");
  if (schema.type === "array") return `${typeName(schema.items)}[]`;
  return [schema.type ?? "any"].flat().join(" | ");
}

/** @param {Record<string, Schema>} schemas @param {Schema} given @returns {HTMLElement} */
function fieldTable(schemas, given) {
  const schema = resolve(schemas, given);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) {
    const tables = choices.flatMap((choice) => [
      element("h3", { textContent: typeName(choice) }),
      fieldTable(schemas, choice),
    ]);
    return element("div", {}, ...tables);
  }
  const rows = Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const fallback = field.default === undefined ? [] : [`Default ${JSON.stringify(field.default)}`];
    const words = [...(field.description === undefined ? [] : [field.description]), ...fallback].join(" ");
    return row(fieldName(name, schema.required?.includes(name)), typeName(field), words);
  });
  if (rows.length > 0) return element("table", {}, ...rows);
  return element("p", { className: "muted", textContent: typeName(given) });
}

/** @param {Operation} operation */
function bodySchemaOf({ requestBody }) {
  return requestBody?.content["application/json"]?.schema;
}

/** @param {Parameter} parameter */
function parameterField({ name, required, schema }) {
  const placeholder = schema.default === undefined ? typeName(schema) : JSON.stringify(schema.default);
  return element("input", { placeholder, required: required === true, ariaLabel: name });
}

/** @typedef {Parameter & { input: HTMLInputElement }} FilledParameter */

/** Path and query, with what was typed. @param {string} path @param {FilledParameter[]} parameters */
function addressOf(path, parameters) {
  let address = path;
  const query = new URLSearchParams();
  for (const { name, in: place, input } of parameters) {
    if (place === "path") address = address.replace(`{${name}}`, encodeURIComponent(input.value));
    else if (input.value !== "") query.set(name, input.value);
  }
  return query.size === 0 ? address : `${address}?${query}`;
}

/** @param {string} text */
function readable(text) {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text === "" ? "(no body)" : text;
  }
}

/** @param {string} method @param {string} address @param {string | undefined} body */
async function send(method, address, body) {
  const headers = new Headers();
  if (body !== undefined) headers.set("content-type", "application/json");
  withToken(headers);
  const started = performance.now();
  const response = await fetch(address, { method, headers, ...(body === undefined ? {} : { body }) });
  const text = await response.text();
  const tookMs = Math.round(performance.now() - started);
  return { summary: `${response.status} ${response.statusText} in ${tookMs} ms`, text: readable(text) };
}

/** @param {ApiDocument} api @param {string} path @param {string} method @param {Operation} operation */
function tryForm(api, path, method, operation) {
  const prefix = new URL(api.servers[0]?.url ?? "/", location.href).pathname;
  const parameters = (operation.parameters ?? []).map((parameter) => ({
    ...parameter,
    input: parameterField(parameter),
  }));
  const bodySchema = bodySchemaOf(operation);
  const value = JSON.stringify(example(api.components.schemas, bodySchema), undefined, 2);
  const body =
    bodySchema === undefined ? undefined : element("textarea", { value, spellcheck: false, ariaLabel: "Request body" });
  const status = element("p", { className: "status", role: "status" });
  const output = element("pre", { hidden: true, tabIndex: 0 });
  const button = element("button", { textContent: "Send" });

  async function run() {
    const missing = parameters.find(({ required, input }) => required === true && input.value === "");
    if (missing !== undefined) {
      status.textContent = `${missing.name} is required`;
      missing.input.focus();
      return;
    }
    button.disabled = true;
    status.textContent = "Waiting…";
    try {
      const { summary, text } = await send(method, prefix + addressOf(path, parameters), body?.value);
      status.textContent = summary;
      output.textContent = text;
      output.hidden = false;
    } catch (error) {
      status.textContent = `The request failed: ${error instanceof Error ? error.message : String(error)}`;
    } finally {
      button.disabled = false;
    }
  }
  button.addEventListener("click", () => void run());

  const rows = parameters.map(({ name, in: place, required, description, input }) =>
    row(fieldName(name, required), input, description === undefined ? place : `${place}: ${description}`),
  );
  const table = rows.length === 0 ? undefined : element("table", {}, ...rows);
  return element("div", {}, table, body, element("p", {}, button), status, output);
}

/** @param {string} kind @param {string} address @param {string} summary */
function panelHead(kind, address, summary) {
  return element(
    "summary",
    {},
    element("span", { className: `method ${kind}`, textContent: kind }),
    element("code", { textContent: address }),
    element("span", { className: "muted", textContent: summary }),
  );
}

/** @param {ApiDocument} api @param {string} path @param {string} method @param {Operation} operation */
function operationPanel(api, path, method, operation) {
  const panel = element("details", {}, panelHead(method, path, operation.summary));
  panel.dataset["search"] = `${method} ${path} ${operation.summary} ${operation.operationId}`.toLowerCase();
  panel.addEventListener("toggle", () => {
    if (panel.childElementCount === 1) panel.append(operationDetails(api, path, method, operation));
  });
  return panel;
}

/** @param {ApiDocument} api @param {string} path @param {string} method @param {Operation} operation */
function operationDetails(api, path, method, operation) {
  const bodySchema = bodySchemaOf(operation);
  const answers = Object.entries(operation.responses).map(([status, { description, content = {} }]) => {
    const [first] = Object.values(content);
    return row(status, description, first === undefined ? "" : typeName(first.schema));
  });
  const request =
    bodySchema === undefined
      ? []
      : [element("h3", { textContent: "Request body" }), fieldTable(api.components.schemas, bodySchema)];
  return element(
    "div",
    {},
    operation.description === undefined ? undefined : element("p", { textContent: operation.description }),
    ...request,
    element("h3", { textContent: "Answers" }),
    element("table", {}, ...answers),
    element("h3", { textContent: "Try it" }),
    tryForm(api, path, method, operation),
  );
}

/** @param {Channel} channel */
function socketPanel({ address, summary, description, messages, bindings }) {
  const query = Object.entries(bindings?.ws.query.properties ?? {}).map(([name, field]) =>
    row(fieldName(name, false), field.description ?? ""),
  );
  const details = element(
    "div",
    {},
    element("p", { textContent: description }),
    element("table", {}, ...query),
    element("h3", { textContent: "Messages" }),
    element("p", { textContent: Object.keys(messages).join(", ") }),
  );
  const panel = element("details", {}, panelHead("WS", address, summary), details);
  panel.dataset["search"] = `ws ${address} ${summary}`.toLowerCase();
  return panel;
}

/** @param {string} title @param {Node[]} panels */
function section(title, panels) {
  return element("section", {}, element("h2", { textContent: title }), ...panels);
}

async function draw() {
  /** @type {ApiDocument} */
  const api = await readDocument("openapi.json");
  about.textContent = api.info.description;
  const all = Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  for (const { name } of api.tags) {
    const tagged = all.filter(({ operation }) => operation.tags[0] === name);
    const panels = tagged.map(({ path, method, operation }) => operationPanel(api, path, method, operation));
    operations.append(section(name, panels));
  }
  /** @type {SocketDocument} */
  const sockets = await readDocument("asyncapi.json");
  operations.append(section("WebSockets", Object.values(sockets.channels).map(socketPanel)));
}

function filter() {
  const words = filterField.value.toLowerCase().split(/\s+/);
  for (const panel of document.querySelectorAll("details"))
    panel.hidden = !words.every((word) => panel.dataset["search"]?.includes(word) === true);
  for (const part of document.querySelectorAll("section"))
    part.hidden = part.querySelector("details:not([hidden])") === null;
}

byId("openapi-link", HTMLAnchorElement).href = `${base}/openapi.json`;
byId("asyncapi-link", HTMLAnchorElement).href = `${base}/asyncapi.json`;
filterField.addEventListener("input", filter);

async function start() {
  try {
    await draw();
  } catch (error) {
    if (error instanceof SignInNeeded) {
      const console = element("a", { href: "/", textContent: "Sign in at the console" });
      about.replaceChildren(console, " and come back in the same tab, or give an access token here.");
      tokenField.addEventListener("change", () => void start(), { once: true });
    } else {
      const reason = error instanceof Error ? error.message : String(error);
      about.textContent = `The description could not be loaded: ${reason}`;
    }
  }
}

void start();
