/** Lays out the handoffs as a graph: each agent's position, and the lines between them. Pure. */

export interface HandoffScenario {
  readonly agents: readonly string[];
  readonly start_agent: string;
  readonly handoffs: readonly { readonly from: string; readonly to: string }[];
}

interface PlacedAgent {
  readonly name: string;
  /** The position of its upper left corner. */
  readonly x: number;
  readonly y: number;
  readonly isReachable: boolean;
}

interface HandoffLine {
  /** The one further to the left, or else further up. */
  readonly from: string;
  readonly to: string;
  readonly goes: "there" | "back" | "both";
  /** The data of an SVG path. */
  readonly path: string;
}

export interface HandoffPicture {
  readonly width: number;
  readonly height: number;
  readonly agents: readonly PlacedAgent[];
  readonly lines: readonly HandoffLine[];
}

export interface PictureSize {
  readonly boxWidth: number;
  readonly boxHeight: number;
  readonly columnGap: number;
  readonly rowGap: number;
  /** Lines within a column curve outside it, and arrows need room. */
  readonly margin: number;
}

export const large: PictureSize = { boxWidth: 148, boxHeight: 38, columnGap: 72, rowGap: 16, margin: 34 };
/** Two columns fit into a side panel. */
export const small: PictureSize = { boxWidth: 112, boxHeight: 30, columnGap: 28, rowGap: 10, margin: 10 };

export function layoutHandoffs(scenario: HandoffScenario, size: PictureSize): HandoffPicture {
  const { boxWidth, boxHeight, columnGap, rowGap, margin } = size;
  const names = [...new Set([scenario.start_agent, ...scenario.agents])];
  const { columns, unreachable } = columnsOf(names, scenario);
  const tallest = Math.max(...columns.map((column) => column.length));
  const height = tallest * boxHeight + (tallest - 1) * rowGap;
  const agents = columns.flatMap((column, across) => {
    const above = (height - column.length * boxHeight - (column.length - 1) * rowGap) / 2;
    return column.map((name, down) => ({
      name,
      x: margin / 2 + across * (boxWidth + columnGap),
      y: margin / 2 + above + down * (boxHeight + rowGap),
      isReachable: !unreachable.has(name),
    }));
  });
  return {
    width: columns.length * (boxWidth + columnGap) - columnGap + margin * 1.5,
    height: height + margin,
    agents,
    lines: linesOf(scenario, agents, size),
  };
}

/** Columns by the number of handoffs needed to reach an agent; unreachable agents come last. */
function columnsOf(names: readonly string[], { start_agent: start, handoffs }: HandoffScenario) {
  const columns: string[][] = [[start]];
  const placed = new Set([start]);
  for (const column of columns) {
    // In the order of the agents that lead to them, so that few lines cross.
    const next = column.flatMap((from) => handoffs.filter((handoff) => handoff.from === from).map(({ to }) => to));
    const fresh = [...new Set(next)].filter((name) => names.includes(name) && !placed.has(name));
    for (const name of fresh) placed.add(name);
    if (fresh.length > 0) columns.push(fresh);
  }
  const unreachable = new Set(names.filter((name) => !placed.has(name)));
  if (unreachable.size > 0) columns.push([...unreachable]);
  return { columns, unreachable };
}

function linesOf({ handoffs }: HandoffScenario, agents: readonly PlacedAgent[], size: PictureSize): HandoffLine[] {
  const hands = new Set(handoffs.map(({ from, to }) => `${from} ${to}`));
  return agents.flatMap((one, index) =>
    agents.slice(index + 1).flatMap((other) => {
      const there = hands.has(`${one.name} ${other.name}`);
      const back = hands.has(`${other.name} ${one.name}`);
      if (!there && !back) return [];
      const goes = there && back ? "both" : there ? "there" : "back";
      return [{ from: one.name, to: other.name, goes, path: pathBetween(one, other, size) } as const];
    }),
  );
}

function pathBetween(one: PlacedAgent, other: PlacedAgent, { boxWidth, boxHeight, margin }: PictureSize): string {
  const right = one.x + boxWidth;
  const fromY = one.y + boxHeight / 2;
  const toY = other.y + boxHeight / 2;
  if (one.x === other.x) {
    const bend = right + margin * 0.8;
    return `M${right} ${fromY} C${bend} ${fromY} ${bend} ${toY} ${right} ${toY}`;
  }
  const middle = (right + other.x) / 2;
  return `M${right} ${fromY} C${middle} ${fromY} ${middle} ${toY} ${other.x} ${toY}`;
}
