/** How a JSON Schema is drawn, and the elements that everything on the page is made of. */

/**
 * @typedef {{
 *   $ref?: string, type?: string | string[], description?: string, default?: unknown, const?: unknown, enum?: unknown[],
 *   anyOf?: Schema[], oneOf?: Schema[], properties?: Record<string, Schema>, required?: string[], items?: Schema,
 *   minItems?: number, minimum?: number, minLength?: number, pattern?: string,
 * }} Schema
 * @typedef {Node | string | undefined} Child
 */

/**
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} name
 * @param {Partial<HTMLElementTagNameMap[K]>} properties
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function element(name, properties, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children.filter((child) => child !== undefined));
  return made;
}

/** Sentences of the documents: what is between backticks is code. @param {string} text */
export function prose(text) {
  const parts = text.split("`").map((part, index) => (index % 2 === 0 ? part : element("code", { textContent: part })));
  return element("span", {}, ...parts);
}

/** @param {...Child} cells One row, a cell for each. */
export function row(...cells) {
  const drawn = cells.map((cell) => (typeof cell === "string" ? prose(cell) : cell));
  return element("tr", {}, ...drawn.map((cell) => element("td", {}, cell)));
}

/** @param {string} name @param {boolean | undefined} isRequired */
export function fieldName(name, isRequired) {
  return element("span", {}, element("code", { textContent: name }), isRequired === true ? " *" : undefined);
}

/** @param {string} reference */
export function lastStep(reference) {
  return reference.slice(reference.lastIndexOf("/") + 1);
}

/** @param {Record<string, Schema>} schemas @param {Schema | undefined} schema @returns {Schema} */
export function resolve(schemas, schema = {}) {
  return schema.$ref === undefined ? schema : (schemas[lastStep(schema.$ref)] ?? {});
}

/** A value that fits the schema: its default, its first choice, or the smallest thing of its type.
 * @param {Record<string, Schema>} schemas @param {Schema | undefined} given @param {number} depth @returns {unknown} */
export function example(schemas, given, depth = 0) {
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
export function typeName(schema = {}) {
  if (schema.$ref !== undefined) return lastStep(schema.$ref);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return choices.map((choice) => typeName(choice)).join(" | ");
  if (schema.type === "array") return `${typeName(schema.items)}[]`;
  return [schema.type ?? "any"].flat().join(" | ");
}

/** Its own parts on demand, drawn when they are asked for: a schema may hold itself.
 * @param {Child} head @param {() => Node} body */
export function fold(head, body) {
  const made = element("details", { className: "fold" }, element("summary", {}, head));
  made.addEventListener("toggle", () => {
    if (made.childElementCount === 1) made.append(element("div", {}, body()));
  });
  return made;
}

/** The type by its name, with its fields where it has some. @param {Record<string, Schema>} schemas @param {Schema} given */
export function typeCell(schemas, given) {
  const inner = resolve(schemas, given).items ?? given;
  const { properties, anyOf, oneOf } = resolve(schemas, inner);
  const parts = [inner, ...(anyOf ?? []), ...(oneOf ?? [])].map((part) => resolve(schemas, part));
  const hasFields = properties !== undefined || parts.some((part) => part.properties !== undefined);
  return hasFields ? fold(typeName(given), () => fieldTable(schemas, inner)) : typeName(given);
}

/** @param {Record<string, Schema>} schemas @param {Schema} given @returns {HTMLElement} */
export function fieldTable(schemas, given) {
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
    return row(fieldName(name, schema.required?.includes(name)), typeCell(schemas, field), words);
  });
  if (rows.length > 0) return element("table", {}, ...rows);
  return element("p", { className: "muted", textContent: typeName(given) });
}
