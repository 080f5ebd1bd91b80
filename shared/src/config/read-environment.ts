import type { Environment } from "./load.ts";

/** The only place of the two apps that reads the environment of their process. */
export function readEnvironment(): Environment {
  return process.env;
}
