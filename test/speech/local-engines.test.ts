/** That the local engines speak and hear at all. How well, `npm run test:engines` says. */
import { createLocalRecogniser } from "@voice/local-voice/recogniser/local-recogniser";
import { createLocalSynthesiser } from "@voice/local-voice/synthesiser/local-synthesiser";
import { heard, listen, play } from "@voice/provider-kit/contracts/recogniser.contract";
import { expect, it } from "vitest";
import { speakText } from "../../local/person/line-audio.ts";

it("three sentences, each in a voice of its own, are heard as they were said", async () => {
  const sentences = [
    ["I want to check my balance", "en-US-JennyNeural"],
    ["My account number is one two three four", "en-US-GuyNeural"],
    ["Yes please", "en-GB-RyanNeural"],
  ] as const;
  const hints = { examples: ["I want to check my balance", "my account number is {digits}"], phrases: [] };
  const [recogniser, synthesiser] = await Promise.all([createLocalRecogniser(), createLocalSynthesiser()]);
  for (const [text, voice] of sentences) {
    const listener = await listen(recogniser, { hints });
    play(listener.stream, await speakText(synthesiser, { text, voice, sampleRateHz: 16_000 }));
    listener.stream.flush();
    expect((await listener.final()).text).toBe(heard(text));
    listener.stream.close();
  }
  await Promise.all([recogniser.close(), synthesiser.close()]);
});
