import { describe, expect, it } from "vitest";
import { chooseMedia } from "./offered-media.ts";

function offer(channels: readonly string[], format = "PCMU", rate = 8000) {
  return { type: "audio", format, channels: [...channels], rate };
}

describe("the format on the hook", () => {
  it("[HOOK-6] is the first in which the caller is, as it was offered", () => {
    const wanted = { ...offer(["external"]), vendorSays: "more" };
    expect(chooseMedia([offer(["external"], "L16"), offer(["internal"]), wanted, offer(["external"])])).toEqual({
      offer: wanted,
      channels: 1,
      callerChannel: 0,
    });
  });

  it("[HOOK-6] prefers the caller alone, and knows the caller among two", () => {
    const both = offer(["internal", "external"]);
    expect(chooseMedia([both, offer(["external"])])).toMatchObject({ channels: 1 });
    expect(chooseMedia([both])).toEqual({ offer: both, channels: 2, callerChannel: 1 });
  });

  it.each([
    ["nothing is offered", []],
    ["the caller is not in it", [offer(["internal"])]],
    ["it is not mu-law", [offer(["external"], "L16")]],
    ["it has another rate", [offer(["external"], "PCMU", 16_000)]],
    ["it is no audio", [{ ...offer(["external"]), type: "video" }]],
    ["there are too many channels", [offer(["external", "internal", "other"])]],
  ])("[HOOK-6] is none where %s", (_why, offers) => {
    expect(chooseMedia(offers)).toBeUndefined();
  });
});
