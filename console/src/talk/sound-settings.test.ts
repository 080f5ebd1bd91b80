import { describe, expect, it } from "vitest";

import { StoredValue } from "../stored-value.ts";
import { SoundSettings, soundChoice } from "./sound-settings.ts";

function rig(items = new Map<string, string>()) {
  const storage = {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  };
  const heardOn: (string | undefined)[] = [];
  const settings = new SoundSettings({
    stored: new StoredValue(storage, "voice.sound", soundChoice),
    listMicrophones: () => Promise.resolve([{ id: "m1", label: "Headset" }]),
    listLoudspeakers: () => Promise.resolve([{ id: "l1", label: "Headset" }]),
    onLoudspeaker: (id) => heardOn.push(id),
    onVolume: () => undefined,
  });
  return { items, settings, heardOn };
}

describe("[OPS-34] the choice of devices", () => {
  it("changes the loudspeaker at once, and is there at the next visit", async () => {
    const { items, settings, heardOn } = rig();
    await settings.refresh();
    expect(settings.store.get()).toMatchObject({ loudspeakers: [{ id: "l1" }], loudspeakerId: undefined });
    settings.chooseLoudspeaker("l1");
    settings.chooseMicrophone("m1");
    expect(heardOn).toEqual(["l1"]);
    expect(rig(items).settings.store.get()).toMatchObject({ loudspeakerId: "l1", microphoneId: "m1", volume: 1 });
    settings.chooseLoudspeaker(undefined);
    expect(rig(items).settings.store.get()).toMatchObject({ loudspeakerId: undefined, microphoneId: "m1" });
  });
});
