import { expect, it } from "vitest";
import { Fillers } from "./fillers.ts";

it("[FILL-1b] are the agent's own phrases in turn, or the service's where it names none", () => {
  const fillers = new Fillers();
  const usual = ["One moment, please."] as const;
  expect(["Let me see.", "Nearly there.", "Let me see."]).toEqual(
    [1, 2, 3].map(() => fillers.next(["Let me see.", "Nearly there."], usual)),
  );
  expect([fillers.next(undefined, usual), fillers.next([], usual)]).toEqual([usual[0], usual[0]]);
});
