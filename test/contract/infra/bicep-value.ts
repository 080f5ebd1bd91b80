/** What stands in a Bicep template, as far as it stands there: anything to be computed stays the text that it is. */
import type { Node } from "web-tree-sitter";

export type Value = string | number | boolean | null | Value[] | { readonly [key: string]: Value };

export function toValue(node: Node): Value {
  switch (node.type) {
    case "object":
      return Object.fromEntries(
        childrenOf(node)
          .filter(({ type }) => type === "object_property")
          .map((property) => {
            const [key, value] = childrenOf(property).filter(({ type }) => type !== "comment");
            if (key === undefined || value === undefined) throw new Error(`no property: ${property.text}`);
            return [key.text.replaceAll("'", ""), toValue(value)];
          }),
      );
    case "array":
      return childrenOf(node)
        .filter(({ type }) => type !== "comment")
        .map(toValue);
    case "string":
      return node.text.slice(1, -1);
    case "number":
      return Number(node.text);
    case "boolean":
      return node.text === "true";
    case "null":
      return null;
    default:
      return node.text;
  }
}

export function childrenOf(node: Node): Node[] {
  return node.namedChildren.filter((child) => child !== null);
}

export function only(node: Node, type: string): Node {
  const child = childrenOf(node).find((candidate) => candidate.type === type);
  if (child === undefined) throw new Error(`no ${type} in ${node.text.slice(0, 60)}`);
  return child;
}

/** The value at a path such as `properties.siteConfig.minTlsVersion`. */
export function valueAt(value: Value | undefined, path: string): Value | undefined {
  let current = value;
  for (const key of path.split(".")) current = isObject(current) ? current[key] : undefined;
  return current;
}

export function textAt(value: Value | undefined, path: string): string {
  const found = valueAt(value, path);
  if (typeof found !== "string") throw new TypeError(`no text at ${path}`);
  return found;
}

export function entriesOf(value: Value | undefined): Readonly<Record<string, Value>> {
  if (!isObject(value)) throw new TypeError("no object");
  return value;
}

function isObject(value: Value | undefined): value is Readonly<Record<string, Value>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
