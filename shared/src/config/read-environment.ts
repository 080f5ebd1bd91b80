import type { Environment } from "./load.ts";

/** The only place in the two apps that reads the environment of their process. */
export function readEnvironment(): Environment {
  return process.env;
}
