/** The figures of a provider that keeps no clients warm. */
import type { PoolFigures } from "./recogniser.ts";

export const emptyPool: PoolFigures = {
  ready: true,
  warmSize: 0,
  warmTarget: 0,
  activeSessions: 0,
  allocationsTotal: 0,
  allocationsWarm: 0,
  allocationsCold: 0,
  warmupCycles: 0,
  warmupFailures: 0,
};
