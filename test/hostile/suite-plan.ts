/** What is tried, how much of it, and how often. */

export const attackKinds = [
  "parsers",
  "definitions",
  "sockets",
  "agents",
  "flood",
  "peers",
  "tokens",
  "spending",
] as const;
export type AttackKind = (typeof attackKinds)[number];

export interface SuiteSize {
  /** Random inputs of each kind, beside the corpus. */
  readonly inputs: number;
  /** Peers that stay connected, of each kind. */
  readonly connections: number;
  readonly floodSeconds: number;
  /** How many of the largest permitted agents to make. */
  readonly largeAgents: number;
}

export interface SuitePlan {
  readonly size: SuiteSize;
  readonly kinds: readonly AttackKind[];
  /** The same again, on the same service: what grows in each of them never ends. */
  readonly rounds: number;
  /** Keeps its state in a Redis of its own; otherwise in its memory, where records that live for a day stay for the whole run. */
  readonly onRedis: boolean;
  /** Where to write what is in memory after each round. */
  readonly snapshots?: string | undefined;
}

export const warmUpSize: SuiteSize = { inputs: 20, connections: 5, floodSeconds: 1, largeAgents: 0 };
export const shortSize: SuiteSize = { inputs: 60, connections: 20, floodSeconds: 2, largeAgents: 1 };
export const fullSize: SuiteSize = { inputs: 1500, connections: 100, floodSeconds: 15, largeAgents: 4 };
