/** Refuses to start on a Node version on which every call would fail although the process starts and answers its probes. */
import { ConfigurationError } from "./configuration-error.ts";

/** `Promise.withResolvers` was introduced in this version. */
export const oldestNode = 22;

export function requireNode(version: string = process.versions.node): void {
  if (Number.parseInt(version, 10) >= oldestNode) return;
  throw new ConfigurationError([`Node: ${oldestNode} or newer is needed, and this is ${version}`]);
}
