/** Holds a double against a recording of what it stands for: the form of each message that both have, and the order of the first ones. */
import type { Recording } from "./recording.ts";

type Kind = "string" | "number" | "boolean" | "null" | "array" | "object";
/** The kinds of value that were seen at each path, such as `response.output[].type`. */
type Form = ReadonlyMap<string, ReadonlySet<Kind>>;

/** One sentence for each way in which the double is not like the service. */
export function differences(double: Recording, real: Recording): readonly string[] {
  const [ofDouble, ofReal] = [formsOf(double), formsOf(real)];
  return [...ofReal].flatMap(([name, { form, always }]) => {
    const own = ofDouble.get(name);
    if (own === undefined) return real.source === "captured" ? [`${name}: the double never sends it`] : [];
    return [
      ...[...always]
        .filter((path) => !own.form.has(path) && hasParent(own.form, path))
        .map((path) => `${name}: the double leaves ${path} out`),
      ...[...form].flatMap(([path, kinds]) => {
        const others = [...(own.form.get(path) ?? [])].filter((kind) => !kinds.has(kind) && kind !== "null");
        return others.length === 0 || onlyNull(kinds)
          ? []
          : [`${name}: ${path} is ${others.join(" or ")} in the double, and ${[...kinds].join(" or ")} in the service`];
      }),
      // Examples in documentation leave fields out, so what only the double has shows nothing there.
      ...(real.source === "captured"
        ? [...own.form.keys()]
            // What is in a list that was empty is not known.
            .filter((path) => !form.has(path) && hasParent(form, path) && !path.endsWith("[]"))
            .map((path) => `${name}: the service has no ${path}`)
        : []),
    ];
  });
}

interface MessageForm {
  readonly form: Form;
  /** The paths that every message of this name has. */
  readonly always: ReadonlySet<string>;
}

function formsOf({ messages }: Recording): ReadonlyMap<string, MessageForm> {
  const forms = new Map<string, { form: Map<string, Set<Kind>>; always: Set<string> }>();
  for (const { direction, name, body } of messages) {
    if (direction === "sent") continue;
    const paths = new Map<string, Set<Kind>>();
    collect(body, "", paths);
    const known = forms.get(name);
    if (known === undefined) {
      forms.set(name, { form: paths, always: new Set(paths.keys()) });
      continue;
    }
    for (const path of known.always) if (!paths.has(path)) known.always.delete(path);
    for (const [path, kinds] of paths) known.form.set(path, new Set([...(known.form.get(path) ?? []), ...kinds]));
  }
  return forms;
}

function collect(value: unknown, path: string, into: Map<string, Set<Kind>>): void {
  if (path !== "") into.set(path, (into.get(path) ?? new Set<Kind>()).add(kindOf(value)));
  if (Array.isArray(value)) for (const item of value) collect(item, `${path}[]`, into);
  else if (typeof value === "object" && value !== null)
    for (const [key, item] of Object.entries(value)) collect(item, path === "" ? key : `${path}.${key}`, into);
}

function kindOf(value: unknown): Kind {
  if (value === null || value === undefined) return "null";
  if (Array.isArray(value)) return "array";
  const kind = typeof value;
  return kind === "string" || kind === "number" || kind === "boolean" ? kind : "object";
}

/** If a whole object is missing, its parts are not reported one by one. */
function hasParent(form: Form, path: string): boolean {
  const parent = path.replace(/(?:\.[^.[\]]+|\[\])$/, "");
  return parent === path || form.has(parent);
}

function onlyNull(kinds: ReadonlySet<Kind>): boolean {
  return kinds.size === 1 && kinds.has("null");
}
