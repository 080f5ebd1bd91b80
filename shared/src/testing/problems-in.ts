/** The problems that would prevent a start; empty if there are none. */
import { ConfigurationError } from "../config/configuration-error.ts";
import { loadSettings, type Environment } from "../config/load.ts";

export function problemsIn(environment: Environment): readonly string[] {
  try {
    loadSettings(environment);
    return [];
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems;
    throw error;
  }
}
