/** Assigns the problems that the service reports to the form's fields. Pure. */
import type { PartProblem } from "./part.ts";

/** As sentences; for a list, with the line concerned. */
export function problemsAt(problem: PartProblem | undefined, path: string, isList: boolean): readonly string[] {
  return (problem?.fields ?? []).flatMap(({ field, message }) => {
    if (field === path) return [message];
    if (!field.startsWith(`${path}.`)) return [];
    const below = field.slice(path.length + 1);
    return [isList && /^\d+$/.test(below) ? `Line ${Number(below) + 1}: ${message}` : `${below}: ${message}`];
  });
}

/** Those that belong to no field of the form. */
export function otherProblems(problem: PartProblem | undefined, paths: readonly string[]): readonly string[] {
  return (problem?.fields ?? [])
    .filter(({ field }) => !paths.some((path) => field === path || field.startsWith(`${path}.`)))
    .map(({ field, message }) => (field === "" ? message : `${field}: ${message}`));
}
