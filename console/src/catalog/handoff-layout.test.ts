import { describe, expect, it } from "vitest";

import { large, layoutHandoffs, small } from "./handoff-layout.ts";

const bank = {
  agents: ["desk", "cards", "fraud", "loans"],
  start_agent: "desk",
  handoffs: [
    { from: "desk", to: "cards" },
    { from: "cards", to: "desk" },
    { from: "desk", to: "fraud" },
    { from: "cards", to: "fraud" },
  ],
};

describe("the picture of the handoffs", () => {
  it("puts each agent as far to the right as it takes handoffs to get there", () => {
    const { agents } = layoutHandoffs(bank, large);
    const across = Object.fromEntries(agents.map(({ name, x }) => [name, x]));
    expect(across["desk"]).toBeLessThan(across["cards"] ?? 0);
    expect(across["cards"]).toBe(across["fraud"]);
    expect(agents.filter(({ isReachable }) => !isReachable).map(({ name }) => name)).toEqual(["loans"]);
  });

  it("draws one line between two agents, whichever way it goes", () => {
    const { lines } = layoutHandoffs(bank, large);
    expect(lines.map(({ from, to, goes }) => [from, to, goes])).toEqual([
      ["desk", "cards", "both"],
      ["desk", "fraud", "there"],
      ["cards", "fraud", "there"],
    ]);
  });

  it.each([large, small])("has room for everybody, and nobody on top of another: %o", (size) => {
    const { agents, width, height } = layoutHandoffs(bank, size);
    for (const { x, y } of agents) {
      expect(x).toBeGreaterThan(0);
      expect(y).toBeGreaterThan(0);
      expect(x + size.boxWidth).toBeLessThan(width);
      expect(y + size.boxHeight).toBeLessThan(height);
    }
    const places = agents.map(({ x, y }) => `${x} ${y}`);
    expect(new Set(places).size).toBe(agents.length);
  });

  it("draws one agent alone, and one that is not among the agents but begins", () => {
    expect(layoutHandoffs({ agents: [], start_agent: "only", handoffs: [] }, large).agents).toHaveLength(1);
  });
});
