/**
 * The script of the /docs page, as browsers run it: plain JavaScript with its types in comments, because the functions
 * app serves this very file. Text from the documents only ever becomes text nodes.
 */

import {
  element,
  row,
  fieldName,
  prose,
  lastStep,
  resolve,
  example,
  typeName,
  fold,
  typeCell,
  fieldTable,
} from "./schema-view.js";

/** @typedef {import("./schema-view.js").Schema} Schema */
/** @typedef {import("./schema-view.js").Child} Child */

/**
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
 *   address: string, summary: string, description: string,
 *   bindings?: { ws: { query: { properties?: Record<string, Schema> } } },
 * }} Channel
 * @typedef {{ description?: string, payload?: Schema }} Message
 * @typedef {{ action: "send" | "receive", channel: Schema, messages: Schema[] }} SocketOperation
 * @typedef {{
 *   channels: Record<string, Channel>, operations: Record<string, SocketOperation>,
 *   components: { messages: Record<string, Message>, schemas: Record<string, Schema> },
 * }} SocketDocument
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

/** Thrown where the description is only for those who may use the service. */
class SignInNeeded extends Error {}

/** The token to call with: the one that was typed, or that of the user who is signed in to the console in this tab. */
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

/** @param {Operation} operation */
function bodySchemaOf({ requestBody }) {
  return requestBody?.content["application/json"]?.schema;
}

/** What may be chosen is chosen. @param {Parameter} parameter */
function parameterField({ name, required, schema }) {
  const choices = schema.enum ?? (schema.type === "boolean" ? [true, false] : undefined);
  if (choices !== undefined) {
    const usual =
      schema.default === undefined
        ? required === true
          ? "choose one"
          : "not given"
        : `${JSON.stringify(schema.default)} (default)`;
    const options = choices.map((choice) => element("option", { value: String(choice), textContent: String(choice) }));
    const select = element("select", { required: required === true, ariaLabel: name });
    select.append(element("option", { value: "", textContent: usual }), ...options);
    return select;
  }
  const placeholder = schema.default === undefined ? typeName(schema) : JSON.stringify(schema.default);
  return element("input", { placeholder, required: required === true, ariaLabel: name });
}

/** @typedef {Parameter & { input: HTMLInputElement | HTMLSelectElement }} FilledParameter */

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

/** For a shell. @param {string} text */
function quoted(text) {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** The same request from a terminal; the token stays here. @param {string} method @param {string} address @param {string | undefined} body */
function curlLine(method, address, body) {
  const parts = ["curl", ...(method === "GET" ? [] : ["-X", method]), quoted(new URL(address, location.href).href)];
  if (tokenField.value !== "") parts.push("-H", '"authorization: Bearer $TOKEN"');
  if (body !== undefined) parts.push("-H", quoted("content-type: application/json"), "-d", quoted(compact(body)));
  return parts.join(" ");
}

/** On one line, if it is JSON. @param {string} text */
function compact(text) {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return text;
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
  const curl = element("pre", { tabIndex: 0, ariaLabel: "The same with curl" });
  const showCurl = () => {
    curl.textContent = curlLine(method, prefix + addressOf(path, parameters), body?.value);
  };
  for (const field of [...parameters.map(({ input }) => input), body, tokenField])
    field?.addEventListener("input", showCurl);
  showCurl();
  const status = element("p", { className: "status", role: "status" });
  const output = element("pre", { className: "answer", hidden: true, tabIndex: 0 });
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
  return element("div", {}, table, body, curl, element("p", {}, button), status, output);
}

/** @param {string} kind @param {string} address @param {string} summary */
function panelHead(kind, address, summary) {
  return element(
    "summary",
    {},
    element("span", { className: `method ${kind}`, textContent: kind }),
    element("code", { textContent: address }),
    element("span", { className: "muted" }, prose(summary)),
  );
}

/** The address says what is open, so that it can be passed on. @param {HTMLDetailsElement} panel */
function rememberOpen(panel) {
  if (panel.open) history.replaceState(undefined, "", `#${panel.id}`);
}

function openLinked() {
  const panel = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!(panel instanceof HTMLDetailsElement)) return;
  panel.open = true;
  panel.scrollIntoView();
}

/** @param {ApiDocument} api @param {string} path @param {string} method @param {Operation} operation */
function operationPanel(api, path, method, operation) {
  const panel = element("details", { id: operation.operationId, className: "panel" });
  panel.append(panelHead(method, path, operation.summary));
  panel.dataset["search"] = `${method} ${path} ${operation.summary} ${operation.operationId}`.toLowerCase();
  panel.addEventListener("toggle", () => {
    if (panel.childElementCount === 1) panel.append(operationDetails(api, path, method, operation));
    rememberOpen(panel);
  });
  return panel;
}

/** @param {ApiDocument} api @param {string} path @param {string} method @param {Operation} operation */
function operationDetails(api, path, method, operation) {
  const bodySchema = bodySchemaOf(operation);
  /** What most refusals have in common is drawn once. @type {Set<string>} */
  const drawn = new Set();
  const answers = Object.entries(operation.responses).map(([status, { description, content = {} }]) => {
    const [first] = Object.values(content);
    if (first === undefined) return row(status, description, "");
    const { $ref: reference } = first.schema;
    if (reference !== undefined && drawn.has(reference))
      return row(status, description, `${lastStep(reference)}, as above`);
    if (reference !== undefined) drawn.add(reference);
    return row(status, description, typeCell(api.components.schemas, first.schema));
  });
  const request =
    bodySchema === undefined
      ? []
      : [element("h3", { textContent: "Request body" }), fieldTable(api.components.schemas, bodySchema)];
  return element(
    "div",
    {},
    operation.description === undefined ? undefined : element("p", {}, prose(operation.description)),
    ...request,
    element("h3", { textContent: "Answers" }),
    element("table", {}, ...answers),
    element("h3", { textContent: "Try it" }),
    tryForm(api, path, method, operation),
  );
}

/** @param {SocketDocument} sockets @param {string} name @param {SocketOperation["action"]} action @param {string} title */
function messageList(sockets, name, action, title) {
  const sent = Object.values(sockets.operations).find(
    (operation) => operation.action === action && lastStep(operation.channel.$ref ?? "") === name,
  );
  if (sent === undefined) return element("div", {});
  const folds = sent.messages.map((reference) => {
    const message = lastStep(reference.$ref ?? "");
    const { description = "", payload = {} } = sockets.components.messages[message] ?? {};
    const { schemas } = sockets.components;
    // The service's messages have all that is their own in one field; the envelope is the same for all.
    const own = resolve(schemas, payload).properties?.["payload"];
    const envelope = own === undefined ? undefined : "In payload, beside type, session_id and timestamp:";
    const draw = () => element("div", {}, prose(description), envelope, fieldTable(schemas, own ?? payload));
    return fold(element("code", { textContent: message }), draw);
  });
  return element("div", {}, element("h3", { textContent: title }), ...folds);
}

/** @param {SocketDocument} sockets @param {string} name @param {Channel} channel */
function socketPanel(sockets, name, { address, summary, description, bindings }) {
  const query = Object.entries(bindings?.ws.query.properties ?? {}).map(([field, { description: purpose }]) =>
    row(fieldName(field, false), purpose ?? ""),
  );
  const details = element(
    "div",
    {},
    element("p", {}, prose(description)),
    element("table", {}, ...query),
    messageList(sockets, name, "receive", "What a client sends"),
    messageList(sockets, name, "send", "What the service sends"),
  );
  const panel = element("details", { id: name, className: "panel" }, panelHead("WS", address, summary), details);
  panel.dataset["search"] = `ws ${address} ${summary}`.toLowerCase();
  panel.addEventListener("toggle", () => rememberOpen(panel));
  return panel;
}

/** @param {string} title @param {Node[]} panels */
function section(title, panels) {
  return element("section", {}, element("h2", { textContent: title }), ...panels);
}

async function draw() {
  /** @type {ApiDocument} */
  const api = await readDocument("openapi.json");
  about.replaceChildren(prose(api.info.description));
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
  const panels = Object.entries(sockets.channels).map(([name, channel]) => socketPanel(sockets, name, channel));
  operations.append(section("WebSockets", panels));
  openLinked();
}

function filter() {
  const words = filterField.value.toLowerCase().split(/\s+/);
  for (const panel of document.querySelectorAll("details.panel"))
    if (panel instanceof HTMLDetailsElement)
      panel.hidden = !words.every((word) => panel.dataset["search"]?.includes(word) === true);
  for (const part of document.querySelectorAll("section"))
    part.hidden = part.querySelector("details.panel:not([hidden])") === null;
}

byId("openapi-link", HTMLAnchorElement).href = `${base}/openapi.json`;
byId("asyncapi-link", HTMLAnchorElement).href = `${base}/asyncapi.json`;
filterField.addEventListener("input", filter);
addEventListener("hashchange", openLinked);

/** Whoever is signed in need not paste anything. */
function sayWhoCalls() {
  if (accessToken() !== undefined && tokenField.value === "")
    tokenField.placeholder = "you are signed in: yours is used";
}

async function start() {
  sayWhoCalls();
  try {
    await draw();
  } catch (error) {
    if (error instanceof SignInNeeded) {
      const operation = location.hash.length > 1 ? `/${location.hash.slice(1)}` : "";
      const signIn = element("a", { href: `/#docs${operation}`, textContent: "Sign in" });
      about.replaceChildren(signIn, " as at the console, which brings you back here; or give an access token.");
      tokenField.addEventListener("change", () => void start(), { once: true });
    } else {
      const reason = error instanceof Error ? error.message : String(error);
      about.textContent = `The description could not be loaded: ${reason}`;
    }
  }
}

void start();
