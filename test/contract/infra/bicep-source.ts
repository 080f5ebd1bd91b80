/**
 * A Bicep file as its declarations. npm has no compiler, so that the tests run everywhere the templates are read by a parser:
 * it finds what is declared and what refers to it, and knows nothing of Azure's types. `.ci/bicep` has the compiler's say.
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Language, Parser, type Node } from "web-tree-sitter";
import { childrenOf, entriesOf, only, toValue, type Value } from "./bicep-value.ts";

interface Parameter {
  readonly name: string;
  readonly isRequired: boolean;
  readonly isSecure: boolean;
  /** Where the parameter is an object of a declared shape, or a list of them: its properties. */
  readonly properties: readonly string[] | undefined;
}

interface Resource {
  readonly symbol: string;
  readonly type: string;
  readonly apiVersion: string;
  readonly isExisting: boolean;
  readonly body: Readonly<Record<string, Value>>;
}

interface Module {
  readonly symbol: string;
  /** Relative to the file that uses it. */
  readonly source: string;
  readonly params: Readonly<Record<string, Value>>;
}

export interface BicepSource {
  readonly path: string;
  readonly text: string;
  /** Lines that the parser does not understand. */
  readonly errors: readonly string[];
  readonly parameters: readonly Parameter[];
  readonly variables: Readonly<Record<string, Value>>;
  readonly resources: readonly Resource[];
  readonly modules: readonly Module[];
  readonly outputs: readonly string[];
  /** What is imported from another file. */
  readonly imports: readonly string[];
  /** Every name that stands in an expression and comes from outside it. */
  readonly references: ReadonlySet<string>;
}

const grammar = fileURLToPath(import.meta.resolve("tree-sitter-bicep/tree-sitter-bicep.wasm"));
await Parser.init();
const parser = new Parser().setLanguage(await Language.load(grammar));

export function readBicep(path: string): BicepSource {
  const text = readFileSync(path, "utf8");
  // The grammar knows templates only; in a file of parameters, an assignment looks like a variable.
  const source = path.endsWith(".bicepparam") ? text.replaceAll(/^param (?=\w+ =)/gm, "var ") : text;
  const tree = parser.parse(source);
  if (tree === null) throw new Error(`${path} was not parsed`);
  const root = tree.rootNode;
  const declarations = (type: string): Node[] => childrenOf(root).filter((node) => node.type === type);
  return {
    path,
    text,
    errors: errorsIn(root),
    parameters: declarations("parameter_declaration").map(toParameter),
    variables: Object.fromEntries(
      declarations("variable_declaration").map((node) => [nameOf(node), toValue(last(node))]),
    ),
    resources: declarations("resource_declaration").map(toResource),
    modules: declarations("module_declaration").map(toModule),
    outputs: declarations("output_declaration").map(nameOf),
    imports: declarations("import_functionality").flatMap((node) =>
      childrenOf(node).flatMap(({ type, text }) => (type === "identifier" ? [text] : [])),
    ),
    references: referencesIn(root),
  };
}

function toParameter(node: Node): Parameter {
  const decorators = node.previousNamedSibling?.type === "decorators" ? node.previousNamedSibling.text : "";
  const type = childrenOf(node).find((child) => child.type === "type");
  const shape = type?.descendantsOfType("object")[0] ?? undefined;
  return {
    name: nameOf(node),
    isRequired: !node.children.some((child) => child?.type === "="),
    isSecure: decorators.includes("@secure()"),
    properties: shape === undefined ? undefined : propertiesOf(shape),
  };
}

/** Less `*`, which stands for any name. */
function propertiesOf(shape: Node): string[] {
  return childrenOf(shape)
    .filter(({ type, text }) => type === "object_property" && !text.startsWith("*"))
    .map((property) => childrenOf(property)[0]?.text ?? "");
}

function toResource(node: Node): Resource {
  const [type = "", apiVersion = ""] = textOf(only(node, "string")).split("@");
  return {
    symbol: nameOf(node),
    type,
    apiVersion,
    isExisting: node.children.some((child) => child?.type === "existing"),
    body: bodyOf(node),
  };
}

function toModule(node: Node): Module {
  const { params } = bodyOf(node);
  return { symbol: nameOf(node), source: textOf(only(node, "string")), params: entriesOf(params) };
}

/** Behind a condition or a loop, too. */
function bodyOf(node: Node): Readonly<Record<string, Value>> {
  return entriesOf(toValue(node.descendantsOfType("object")[0] ?? node));
}

function nameOf(node: Node): string {
  return only(node, "identifier").text;
}

function textOf(node: Node): string {
  return node.text.slice(1, -1);
}

function last(node: Node): Node {
  const children = childrenOf(node);
  const child = children.at(-1);
  if (child === undefined) throw new Error(`nothing is in ${node.text}`);
  return child;
}

function errorsIn(root: Node): string[] {
  if (!root.hasError) return [];
  const wrong = root.descendantsOfType("ERROR");
  return (wrong.length === 0 ? [root] : wrong).map(
    (node) => `line ${(node?.startPosition.row ?? 0) + 1}: ${node?.text.slice(0, 60)}`,
  );
}

/** Names that are declared, called or defined as keys are not references; what a loop or a function names itself is its own. */
function referencesIn(root: Node): Set<string> {
  const identifiers = root.descendantsOfType("identifier").filter((node) => node !== null);
  const loopNames = root.descendantsOfType(["loop_variable", "loop_enumerator"]).map((node) => node?.text);
  const own = new Set([...loopNames, ...identifiers.filter(isLocal).map(({ text }) => text)]);
  const names = identifiers.filter((node) => !isLocal(node) && !isDeclared(node)).map(({ text }) => text);
  return new Set(names.filter((name) => !own.has(name)));
}

/** The only name of a loop, and a lambda's parameter. */
function isLocal(node: Node): boolean {
  const { parent } = node;
  return parent !== null && ["for_statement", "lambda_expression"].includes(parent.type) && isFirstIn(parent, node);
}

function isDeclared(node: Node): boolean {
  const { parent } = node;
  if (parent === null || parent.type === "import_functionality") return true;
  return (
    (parent.type.endsWith("_declaration") || ["object_property", "call_expression"].includes(parent.type)) &&
    isFirstIn(parent, node)
  );
}

function isFirstIn(parent: Node, node: Node): boolean {
  return childrenOf(parent)[0]?.id === node.id;
}
