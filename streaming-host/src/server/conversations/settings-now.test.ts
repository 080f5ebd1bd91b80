import { createOverlaidConfiguration } from "@voice/shared/config/overlay";
import { silentLogger } from "@voice/shared/platform/logger";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { expect, it } from "vitest";
import { conversationsRig } from "../../testing/conversations-rig.ts";

it("takes the settings of the configuration store as they are when a conversation begins", async () => {
  const clock = new VirtualClock();
  const store = new Map([["MAX_RESETS_PER_HOUR", "1"]]);
  const configuration = await createOverlaidConfiguration({
    environment: {},
    loader: async () => new Map(store),
    endpoint: "https://store",
    clock,
    logger: silentLogger,
  });
  const rig = conversationsRig({ clock, options: { settingsNow: () => configuration.settings() } });
  const resetsOf = async (): Promise<number> => {
    const browser = await rig.connect();
    for (let asked = 0; asked < 4; asked++) {
      browser.say({ type: "control", action: "reset" });
      await rig.pass(500);
    }
    return new Set(browser.sessionIds).size - 1;
  };
  const before = await resetsOf();
  store.set("MAX_RESETS_PER_HOUR", "3");
  await configuration.refresh();
  expect([before, await resetsOf()]).toEqual([1, 3]);
});
