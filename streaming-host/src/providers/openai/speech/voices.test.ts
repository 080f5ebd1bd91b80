import { expect, it } from "vitest";
import { voiceNameOf } from "./voices.ts";

const openAi = { isOpenAi: true, instead: undefined };
const other = { isOpenAi: false, instead: undefined };

it.each([
  ["marin", openAi, "marin"],
  ["voice_1234", openAi, "voice_1234"],
  ["en-US-AvaMultilingualNeural", openAi, expect.stringMatching(/^(coral|shimmer|sage)$/)],
  ["en-US-AndrewMultilingualNeural", openAi, expect.stringMatching(/^(ash|echo)$/)],
  ["xx-XX-NobodyNeural", openAi, "alloy"],
  ["en-US-AvaMultilingualNeural", { ...openAi, instead: "cedar" }, "cedar"],
  ["af_heart", other, "af_heart"],
  ["en-US-AvaMultilingualNeural", { ...other, instead: "af_heart" }, "af_heart"],
])("for %s of %o it is %s", (name, choice, spoken) => {
  expect(voiceNameOf(name, choice)).toEqual(spoken);
});
