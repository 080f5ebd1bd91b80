/** Script of the /docs page. Plain JavaScript for browsers; text from the documents only ever becomes text nodes. */
export const pageScript = String.raw`
"use strict";
const base = location.pathname.replace(/\/$/, "");
const byId = (id) => document.getElementById(id);
byId("openapi-link").href = base + "/openapi.json";
byId("asyncapi-link").href = base + "/asyncapi.json";

function element(name, properties, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children.filter((child) => child !== undefined));
  return made;
}

async function readDocument(name) {
  const response = await fetch(base + "/" + name);
  if (!response.ok) throw new Error(name + " answered " + response.status);
  return response.json();
}

let api;
function resolve(schema) {
  const name = schema && schema.$ref && schema.$ref.split("/").pop();
  return name ? api.components.schemas[name] || {} : schema || {};
}

/** A value that fits the schema: its default, its first choice, or the smallest thing of its type. */
function example(given, depth = 0) {
  const schema = resolve(given);
  if (schema.default !== undefined) return schema.default;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  const choice = (schema.anyOf || schema.oneOf || [])[0];
  if (choice) return example(choice, depth);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type === "object") {
    const required = new Set(schema.required || []);
    const fields = Object.entries(schema.properties || {}).filter(([name]) => required.has(name));
    return Object.fromEntries(fields.map(([name, field]) => [name, example(field, depth + 1)]));
  }
  if (type === "array") return schema.minItems && depth < 4 ? [example(schema.items, depth + 1)] : [];
  if (type === "integer" || type === "number") return schema.minimum ?? 0;
  if (type === "boolean") return true;
  if (type === "string") return /\[1-9\]/.test(schema.pattern || "") ? "+14255550123" : "text".padEnd(schema.minLength || 0, " and more");
  return null;
}

function typeName(given) {
  if (given && given.$ref) return given.$ref.split("/").pop();
  const schema = given || {};
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const choices = schema.anyOf || schema.oneOf;
  if (choices) return choices.map(typeName).join(" | ");
  if (schema.type === "array") return typeName(schema.items) + "[]";
  return [schema.type || "any"].flat().join(" | ");
}

function fieldTable(given) {
  const schema = resolve(given);
  const choices = schema.anyOf || schema.oneOf;
  if (choices) return element("div", {}, ...choices.flatMap((choice) => [element("h3", { textContent: typeName(choice) }), fieldTable(choice)]));
  const rows = Object.entries(schema.properties || {}).map(([name, field]) => element("tr", {},
    element("td", {}, element("code", { textContent: name }), (schema.required || []).includes(name) ? " *" : ""),
    element("td", { textContent: typeName(field) }),
    element("td", { textContent: [field.description, field.default === undefined ? "" : "Default " + JSON.stringify(field.default)].filter(Boolean).join(" ") })));
  return rows.length ? element("table", {}, ...rows) : element("p", { className: "muted", textContent: typeName(given) });
}

function tryForm(path, method, operation) {
  const prefix = new URL(api.servers[0].url).pathname;
  const parameters = (operation.parameters || []).map((parameter) => {
    const input = element("input", { placeholder: parameter.schema.default === undefined ? typeName(parameter.schema) : String(parameter.schema.default), required: parameter.required });
    input.setAttribute("aria-label", parameter.name);
    return { ...parameter, input };
  });
  const bodySchema = operation.requestBody && operation.requestBody.content["application/json"].schema;
  const body = bodySchema && element("textarea", { value: JSON.stringify(example(bodySchema), null, 2), spellcheck: false });
  if (body) body.setAttribute("aria-label", "Request body");
  const status = element("p", { className: "status" });
  status.setAttribute("role", "status");
  const output = element("pre", { hidden: true });
  const send = element("button", { textContent: "Send" });
  send.addEventListener("click", async () => {
    const missing = parameters.find((parameter) => parameter.required && !parameter.input.value);
    if (missing) { status.textContent = missing.name + " is required"; missing.input.focus(); return; }
    let target = prefix + path;
    const query = new URLSearchParams();
    for (const parameter of parameters) {
      const value = parameter.input.value;
      if (parameter.in === "path") target = target.replace("{" + parameter.name + "}", encodeURIComponent(value));
      else if (value) query.set(parameter.name, value);
    }
    const headers = {};
    if (body) headers["content-type"] = "application/json";
    if (byId("token").value) headers.authorization = "Bearer " + byId("token").value;
    send.disabled = true;
    status.textContent = "Waiting…";
    const started = performance.now();
    try {
      const response = await fetch(target + (query.size ? "?" + query : ""), { method, headers, body: body ? body.value : undefined });
      const text = await response.text();
      status.textContent = response.status + " " + response.statusText + " in " + Math.round(performance.now() - started) + " ms";
      output.hidden = false;
      try { output.textContent = JSON.stringify(JSON.parse(text), null, 2); } catch { output.textContent = text || "(no body)"; }
    } catch (error) {
      status.textContent = "The request failed: " + error.message;
    } finally {
      send.disabled = false;
    }
  });
  const rows = parameters.map((parameter) => element("tr", {},
    element("td", {}, element("code", { textContent: parameter.name }), parameter.required ? " *" : ""),
    element("td", {}, parameter.input),
    element("td", { textContent: parameter.in + (parameter.description ? ": " + parameter.description : "") })));
  return element("div", {}, rows.length ? element("table", {}, ...rows) : undefined, body, element("p", {}, send), status, output);
}

function operationPanel(path, method, operation) {
  const panel = element("details", {}, element("summary", {},
    element("span", { className: "method " + method, textContent: method }),
    element("code", { textContent: path }),
    element("span", { className: "muted", textContent: operation.summary })));
  panel.dataset.search = (method + " " + path + " " + operation.summary + " " + operation.operationId).toLowerCase();
  panel.addEventListener("toggle", () => {
    if (panel.childElementCount > 1) return;
    const bodySchema = operation.requestBody && operation.requestBody.content["application/json"].schema;
    const responses = Object.entries(operation.responses).map(([status, response]) => {
      const content = Object.values(response.content || {})[0];
      return element("tr", {}, element("td", { textContent: status }), element("td", { textContent: response.description }), element("td", { textContent: content ? typeName(content.schema) : "" }));
    });
    panel.append(element("div", {},
      operation.description ? element("p", { textContent: operation.description }) : undefined,
      bodySchema ? element("h3", { textContent: "Request body" }) : undefined,
      bodySchema ? fieldTable(bodySchema) : undefined,
      element("h3", { textContent: "Answers" }), element("table", {}, ...responses),
      element("h3", { textContent: "Try it" }), tryForm(path, method, operation)));
  });
  return panel;
}

function socketPanel(channel) {
  const query = Object.entries((channel.bindings && channel.bindings.ws.query.properties) || {}).map(([name, field]) => element("tr", {},
    element("td", {}, element("code", { textContent: name })), element("td", { textContent: field.description || "" })));
  const panel = element("details", {}, element("summary", {},
    element("span", { className: "method", textContent: "WS" }),
    element("code", { textContent: channel.address }),
    element("span", { className: "muted", textContent: channel.summary })),
    element("div", {}, element("p", { textContent: channel.description }),
      element("table", {}, ...query),
      element("h3", { textContent: "Messages" }), element("p", { textContent: Object.keys(channel.messages).join(", ") })));
  panel.dataset.search = ("ws " + channel.address + " " + channel.summary).toLowerCase();
  return panel;
}

async function draw() {
  api = await readDocument("openapi.json");
  byId("about").textContent = api.info.description;
  const groups = new Map(api.tags.map((tag) => [tag.name, []]));
  for (const [path, operations] of Object.entries(api.paths))
    for (const [method, operation] of Object.entries(operations)) groups.get(operation.tags[0]).push(operationPanel(path, method.toUpperCase(), operation));
  for (const [name, panels] of groups) byId("operations").append(element("section", {}, element("h2", { textContent: name }), ...panels));
  const sockets = await readDocument("asyncapi.json");
  byId("operations").append(element("section", {}, element("h2", { textContent: "WebSockets" }), ...Object.values(sockets.channels).map(socketPanel)));
}

byId("filter").addEventListener("input", () => {
  const words = byId("filter").value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const panel of document.querySelectorAll("details")) panel.hidden = !words.every((word) => panel.dataset.search.includes(word));
  for (const section of document.querySelectorAll("section")) section.hidden = !section.querySelector("details:not([hidden])");
});
draw().catch((error) => { byId("about").textContent = "The description could not be loaded: " + error.message; });
`;
