import { createEnvironmentConfiguration } from "@voice/shared/config/configuration-provider";
import { loadSettings } from "@voice/shared/config/load";
import { systemClock } from "@voice/shared/platform/clock";
import { silentLogger } from "@voice/shared/platform/logger";
import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import type { State } from "@voice/shared/state/ports/state";
import { afterEach, describe, expect, it } from "vitest";
import { closeDependencies, dependencies, provideDependencies } from "./compose.ts";

describe("the composition of the functions app", () => {
  afterEach(async () => {
    await closeDependencies();
    provideDependencies({});
  });

  it("writes times by the clock of the store that it shares with the streaming hosts", async () => {
    const aheadMs = 600_000;
    const state: State = {
      ...createMemoryState({ clock: systemClock }),
      kind: "redis",
      time: async () => systemClock.wallNow() + aheadMs,
    };
    const configuration = createEnvironmentConfiguration(loadSettings({}));
    provideDependencies({ configuration, state, logger: silentLogger });
    const { clock } = await dependencies();
    expect(Math.abs(clock.wallNow() - systemClock.wallNow() - aheadMs)).toBeLessThan(1000);
  });
});
