/**
 * Which function answers a request. The host sorts functions by NAME, ignoring letter case, and takes the first whose
 * template and method match: neither specificity nor the order of registration counts. A wrong method is no match.
 */
import { parseRequestPath, parseRouteTemplate } from "./route-template.ts";
import type { RouteParams, RouteTemplate } from "./route-template.ts";

export interface HttpRoute {
  readonly functionName: string;
  readonly methods: readonly string[];
  /** As registered, without the host's prefix; the function's name if it has no route. */
  readonly route: string | undefined;
}

export interface RouteMatch<Route extends HttpRoute> {
  readonly route: Route;
  readonly params: RouteParams;
}

export interface RouteTable<Route extends HttpRoute> {
  readonly routes: readonly Route[];
  /** `path` as in the request line, still escaped. */
  match(method: string, path: string): RouteMatch<Route> | undefined;
}

export function createRouteTable<Route extends HttpRoute>(
  routes: readonly Route[],
  routePrefix: string,
): RouteTable<Route> {
  const sorted = routes
    .map((route) => ({ route, template: templateOf(route, routePrefix), methods: new Set(route.methods) }))
    .toSorted((one, other) => compareIgnoringCase(one.route.functionName, other.route.functionName));
  return {
    routes: sorted.map((entry) => entry.route),
    match(method, path) {
      const parsed = parseRequestPath(withoutDotSegments(decodePath(path)).replace(/^\//, ""));
      for (const { route, template, methods } of sorted) {
        if (!methods.has(method)) continue;
        const params = template.match(parsed);
        if (params !== undefined) return { route, params };
      }
      return undefined;
    },
  };
}

function templateOf(route: HttpRoute, routePrefix: string): RouteTemplate {
  const own = (route.route ?? route.functionName).replace(/^\//, "");
  const [firstSegment] = own.toLowerCase().split("/");
  if (firstSegment === "admin" || firstSegment === "runtime") {
    throw new Error(`function "${route.functionName}": the host keeps routes that start with "${firstSegment}"`);
  }
  const prefix = routePrefix.replaceAll(/^\/|\/$/g, "");
  return parseRouteTemplate(prefix === "" ? own : `${prefix}/${own}`);
}

/** .NET's OrdinalIgnoreCase: upper-cased code units, no locale. */
function compareIgnoringCase(one: string, other: string): number {
  const [left, right] = [one.toUpperCase(), other.toUpperCase()];
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

/** `%2F` stays escaped, so that it cannot become a separator; a malformed escape is left as it is. */
function decodePath(path: string): string {
  if (!path.includes("%")) return path;
  return path.replaceAll(/(?:%[0-9a-f]{2})+/gi, (escapes) =>
    escapes
      .split(/(%2f)/i)
      .map((part) => (/^%2f$/i.test(part) ? part : decodeOrKeep(part)))
      .join(""),
  );
}

/** As the host does after decoding (RFC 3986 section 5.2.4), and as the URL that the function sees is written. */
function withoutDotSegments(path: string): string {
  if (!path.includes("/.")) return path;
  const kept: string[] = [];
  const segments = path.split("/").slice(1);
  for (const [index, segment] of segments.entries()) {
    if (segment === "..") kept.pop();
    else if (segment !== ".") kept.push(segment);
    if (index === segments.length - 1 && (segment === "." || segment === "..")) kept.push("");
  }
  return `/${kept.join("/")}`;
}

function decodeOrKeep(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
}
