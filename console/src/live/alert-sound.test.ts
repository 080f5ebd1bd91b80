import { describe, expect, it } from "vitest";

import { AlertSound } from "./alert-sound.ts";
import type { Claim } from "./alert-sound.ts";

/** The tabs of one browser, in which all that sound do so at once. */
function browser() {
  const taken = new Set<string>();
  const sounds: string[] = [];
  const claim: Claim = async (name, until) => {
    if (taken.has(name)) return false;
    taken.add(name);
    until.addEventListener("abort", () => taken.delete(name));
    return true;
  };
  const open = (tab: string): AlertSound => new AlertSound(() => () => void sounds.push(tab), claim);
  return { open, sounds };
}

const settled = () => new Promise(setImmediate);

describe("the alert sound", () => {
  it("[WALL-4] comes from one tab for each conversation, as long as that needs somebody", async () => {
    const { open, sounds } = browser();
    const tabs = ["first", "second"].map(open);
    for (const tab of tabs) tab.toggle();
    expect(sounds.splice(0)).toEqual(["first", "second"]); // what it sounds like
    for (const tab of tabs) tab.follow(new Set(["a"]));
    await settled();
    expect(sounds.splice(0)).toEqual(["first"]);
    for (const tab of tabs.toReversed()) tab.follow(new Set(["a", "b"]));
    await settled();
    expect(sounds.splice(0)).toEqual(["second"]);
    for (const tab of tabs) tab.follow(new Set(["b"]));
    for (const tab of tabs) tab.follow(new Set(["b", "a"]));
    await settled();
    expect(sounds).toEqual(["first"]);
  });

  it("[WALL-4] is not kept from the others by a tab in which it is off", async () => {
    const { open, sounds } = browser();
    const [silent, loud] = [open("silent"), open("loud")];
    loud.toggle();
    silent.toggle();
    sounds.splice(0);
    silent.follow(new Set(["a"]));
    await settled();
    expect(sounds.splice(0)).toEqual(["silent"]);
    silent.toggle();
    for (const tab of [silent, loud]) tab.follow(new Set(["b"]));
    await settled();
    expect(sounds).toEqual(["loud"]);
  });
});
