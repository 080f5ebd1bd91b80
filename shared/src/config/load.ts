/** Reads the settings once, at start-up, and reports all problems together, one line each. */
import { namesOf } from "./aliases.ts";
import { problemsTogether } from "./completeness.ts";
import { ConfigurationError } from "./configuration-error.ts";
import { describeMisspelt } from "./misspelt-names.ts";
import { namedSettings, settingsSchema } from "./settings.ts";
import type { Settings } from "./settings.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

export function loadSettings(environment: Environment): Settings {
  const problems: string[] = [];
  const given = new Map<string, Given>();
  const unresolved: string[] = [];
  for (const { key, name } of namedSettings) {
    const found = namesOf(name).flatMap((alias) => valueOf(environment, alias));
    const [first] = found;
    if (first === undefined) continue;
    const other = found.find(({ value }) => value !== first.value);
    if (isReference(first.value)) unresolved.push(`${first.name} ${notResolved}`);
    else if (other === undefined) given.set(key, first);
    else problems.push(`${first.name} and ${other.name} are the same setting and have different values`);
  }
  const parsed = settingsSchema.safeParse(Object.fromEntries([...given].map(([key, { value }]) => [key, value])));
  const invalid = [...problems, ...unresolved];
  if (!parsed.success) throw refusal([...invalid, ...describe(parsed.error.issues, given)], environment);
  if (unresolved.length > 0) throw refusal(invalid, environment);
  const settings = Object.freeze(parsed.data);
  const nameOf = (key: keyof Settings): string => given.get(key)?.name ?? canonicalName(key);
  problems.push(...problemsTogether(settings, nameOf));
  if (problems.length > 0) throw refusal(problems, environment);
  return settings;
}

// --- module internal ---

/** A missing setting is often present under a misspelt name. */
function refusal(problems: readonly string[], environment: Environment): ConfigurationError {
  const misspelt = describeMisspelt(environment);
  return new ConfigurationError(misspelt === undefined ? problems : [...problems, misspelt]);
}

interface Given {
  /** As the user wrote it. */
  readonly name: string;
  readonly value: string;
}

/** An empty setting counts as not set, because deployment templates leave settings empty. */
function valueOf(environment: Environment, name: string): Given[] {
  const value = environment[name]?.trim();
  return value === undefined || value === "" ? [] : [{ name, value }];
}

/**
 * Azure Functions passes the reference itself to the app if it cannot resolve it, and other platforms always do. Used as a secret, it would
 * be a value that everybody can guess.
 */
function isReference(value: string): boolean {
  return /^@Microsoft\.(KeyVault|AppConfiguration)\(/i.test(value);
}

const notResolved =
  "is a reference that nobody has resolved: Azure Functions does if the app's identity may read what it names, " +
  "and a container needs the value itself, or the reference in App Configuration";

/** One line per setting: its first issue, without the value. */
function describe(
  issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[],
  given: ReadonlyMap<string, Given>,
): string[] {
  const lines = new Map<string, string>();
  for (const issue of issues) {
    const key = String(issue.path[0]);
    if (!lines.has(key)) lines.set(key, `${given.get(key)?.name ?? key} ${issue.message}`);
  }
  return [...lines.values()];
}

function canonicalName(key: string): string {
  return namedSettings.find((setting) => setting.key === key)?.name ?? key;
}
