/** The only place of the streaming host that reads the environment. */
import type { Environment } from "@voice/shared/config/load";

export function readEnvironment(): Environment {
  return process.env;
}
