import { describe, expect, it } from "vitest";
import { parseChaosArguments } from "./chaos-arguments.ts";
import { scenarios } from "./scenarios.ts";

const names = scenarios.map(({ name }) => name);

describe("the arguments of npm run chaos", () => {
  it("ask for everything once, without any", () => {
    expect(parseChaosArguments([])).toEqual({
      kind: "run",
      plan: { only: names, rounds: 1, isShort: false, json: undefined },
    });
  });

  it("ask for some of it, so often, and for a file of figures", () => {
    const given = ["--only", "host-killed, redis-outage", "--rounds", "3", "--json", "out/chaos.json"];
    expect(parseChaosArguments(given)).toEqual({
      kind: "run",
      plan: { only: ["host-killed", "redis-outage"], rounds: 3, isShort: false, json: "out/chaos.json" },
    });
  });

  it("ask for a single one, in short", () => {
    const parsed = parseChaosArguments(["--short"]);
    expect(parsed).toMatchObject({ plan: { only: [expect.any(String)], rounds: 1, isShort: true } });
  });

  it("ask for kills of hosts alone, in so much time", () => {
    const given = ["--kills", "1000", "--minutes", "5"];
    expect(parseChaosArguments(given)).toEqual({ kind: "kill", plan: { kills: 1000, minutes: 5 } });
  });

  it.each([
    [["--rounds", "0"], "--rounds expects"],
    [["--kills", "many"], "--kills expects"],
    [["--kills", "9", "--minutes", "0"], "--minutes expects"],
    [["--only", "host-killed,earthquake"], "--only knows no earthquake"],
  ])("are refused in words: %j", (given, message) => {
    expect(parseChaosArguments(given)).toMatchObject({ kind: "invalid", message: expect.stringContaining(message) });
  });

  it("show the help wherever it is asked for", () => {
    expect(parseChaosArguments(["--rounds", "x", "--help"])).toEqual({ kind: "help" });
  });
});
