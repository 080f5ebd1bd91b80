import { describe, expect, it } from "vitest";
import { parseHostileArguments } from "./hostile-arguments.ts";
import { attackKinds, fullSize, shortSize } from "./suite-plan.ts";

const withRedis = () => true;

describe("npm run hostile", () => {
  it("tries everything once, on a Redis where there is one", () => {
    const plan = { size: fullSize, kinds: attackKinds, rounds: 1, onRedis: true };
    expect(parseHostileArguments([], withRedis)).toEqual({ kind: "run", plan });
    expect(parseHostileArguments([], () => false)).toEqual({ kind: "run", plan: { ...plan, onRedis: false } });
  });

  it("tries what it is asked for", () => {
    expect(
      parseHostileArguments(["--short", "--kind", "agents, flood", "--rounds=3", "--memory"], withRedis),
    ).toMatchObject({ plan: { size: shortSize, kinds: ["agents", "flood"], rounds: 3, onRedis: false } });
  });

  it.each([
    [["--shrot"], "--shrot"],
    [["2"], "2"],
    [["--short=yes"], "--short"],
    [["--rounds", "many"], "--rounds expects"],
    [["--rounds", "0"], "--rounds expects"],
    [["--kind", "sockets,nothing"], "--kind knows no nothing"],
  ])("does not guess what %j may mean", (argv, message) => {
    expect(parseHostileArguments(argv, withRedis)).toEqual({
      kind: "invalid",
      message: expect.stringContaining(message),
    });
  });
});
