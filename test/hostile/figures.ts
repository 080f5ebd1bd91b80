/** What the suite counted and measured. */
export interface Figures {
  inputs: number;
  /** Answers of 500, and sockets that ended with 1011: something was not foreseen. */
  unforeseen: string[];
  unauthorisedAccesses: string[];
  /** How late another caller's socket was answered, under attack, and before it. */
  longestStallMs: number;
  idleStallMs: number;
  openSocketsLeft: number;
  memoryBefore: number;
  memoryAfter: number;
}

export function newFigures(): Figures {
  return {
    inputs: 0,
    unforeseen: [],
    unauthorisedAccesses: [],
    longestStallMs: 0,
    idleStallMs: 0,
    openSocketsLeft: 0,
    memoryBefore: 0,
    memoryAfter: 0,
  };
}

export function figuresTable(figures: Figures): string {
  const megabytes = (bytes: number): string => `${Math.round(bytes / 1_000_000)} MB`;
  return [
    `inputs                                ${figures.inputs}`,
    `unforeseen failures                   ${figures.unforeseen.length}`,
    `unauthorised accesses                 ${figures.unauthorisedAccesses.length}`,
    `longest stall of another caller       ${figures.longestStallMs.toFixed(1)} ms (idle before: ${figures.idleStallMs.toFixed(1)} ms)`,
    `refused sockets that stayed open      ${figures.openSocketsLeft}`,
    `memory before and after               ${megabytes(figures.memoryBefore)}, ${megabytes(figures.memoryAfter)}`,
    ...figures.unforeseen.slice(0, 20).map((one) => `  unforeseen: ${one}`),
    ...figures.unauthorisedAccesses.map((one) => `  let in: ${one}`),
  ].join("\n");
}
