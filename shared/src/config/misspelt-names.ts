/** Finds names in the environment that are no setting's, and nearly are: a misspelt setting would be ignored in silence. Pure. */
import { nearestName } from "../catalog/nearest-name.ts";
import type { Logger } from "../platform/logger.ts";
import { namesOf } from "./aliases.ts";
import { namedSettings } from "./settings.ts";

type Environment = Readonly<Record<string, string | undefined>>;

export interface MisspeltName {
  readonly written: string;
  readonly meant: string;
}

/** In shorter names a letter or two makes the name of something else: `LANG`, `HOSTS`. */
const shortestName = 7;

/** An empty variable sets nothing, whatever its name. */
export function misspeltNames(environment: Environment): readonly MisspeltName[] {
  const known = namedSettings.flatMap(({ name }) => namesOf(name));
  const all = new Set(known);
  return Object.entries(environment).flatMap(([written, value]) => {
    if (all.has(written) || (value ?? "").trim() === "") return [];
    if (written.length < shortestName) return [];
    const meant = nearestName(written, known, mistakesIn(written));
    // Who has set the right name as well has not missed anything.
    return meant === undefined || (environment[meant] ?? "").trim() !== "" ? [] : [{ written, meant }];
  });
}

/** Fewer than in a catalog, because most names of an environment belong to others. */
function mistakesIn({ length }: string): number {
  return length < 10 ? 1 : 2;
}

/** One line that names them all, and none of their values; undefined where there are none. */
export function describeMisspelt(environment: Environment): string | undefined {
  const names = misspeltNames(environment).map(({ written, meant }) => `${written} (did you mean ${meant}?)`);
  return names.length === 0 ? undefined : `no setting has this name, so it is ignored: ${names.join(", ")}`;
}

export function reportMisspeltNames(environment: Environment, logger: Pick<Logger, "warn">): void {
  const problem = describeMisspelt(environment);
  if (problem !== undefined) logger.warn({ problem }, "the environment has the name of a setting misspelt");
}
