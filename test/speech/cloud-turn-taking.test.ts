/** Turn-taking, unchanged, with every cloud adapter in the path. */
import { describe } from "vitest";
import { cloud, realtime } from "../support/composition.ts";
import { describeTurnTaking } from "../support/turn-taking.ts";

describe.concurrent("the cloud", () => {
  for (const composition of [cloud, realtime]) describeTurnTaking(composition);
});
