/** Finds names in the environment that nearly match a setting: a misspelt setting would be ignored silently. Pure. */
import { nearestName } from "../catalog/nearest-name.ts";
import type { Logger } from "../platform/logger.ts";
import { namesOf } from "./aliases.ts";
import { namedSettings } from "./settings.ts";

type Environment = Readonly<Record<string, string | undefined>>;

export interface MisspeltName {
  readonly written: string;
  readonly meant: string;
}

/** In shorter names, changing a letter or two gives the name of something else: `LANG`, `HOSTS`. */
const shortestName = 7;

/** An empty variable sets nothing, whatever its name. */
export function misspeltNames(environment: Environment): readonly MisspeltName[] {
  const known = namedSettings.flatMap(({ name }) => namesOf(name));
  const all = new Set(known);
  return Object.entries(environment).flatMap(([written, value]) => {
    if (all.has(written) || (value ?? "").trim() === "") return [];
    if (written.length < shortestName) return [];
    const meant = nearestName(written, known, mistakesIn(written));
    // If the right name is set as well, nothing is missing.
    return meant === undefined || (environment[meant] ?? "").trim() !== "" ? [] : [{ written, meant }];
  });
}

/** Fewer than in a catalog, because most names of an environment belong to other programs. */
function mistakesIn({ length }: string): number {
  return length < 10 ? 1 : 2;
}

/** One line that lists all of them, without their values; undefined if there are none. */
export function describeMisspelt(environment: Environment): string | undefined {
  const names = misspeltNames(environment).map(({ written, meant }) => `${written} (did you mean ${meant}?)`);
  return names.length === 0 ? undefined : `no setting has this name, so it is ignored: ${names.join(", ")}`;
}

export function reportMisspeltNames(environment: Environment, logger: Pick<Logger, "warn">): void {
  const problem = describeMisspelt(environment);
  if (problem !== undefined) logger.warn({ problem }, "the environment has the name of a setting misspelt");
}
