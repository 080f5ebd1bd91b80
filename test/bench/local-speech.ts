/**
 * What one caller feels of the local speech providers: how long after the last word the agent is heard, and how soon it goes on
 * after a murmur. `npm run bench:speech`; takes half a minute.
 */
import { systemClock } from "@voice/shared/platform/clock";
import { createLocalRecogniser } from "@voice/local-voice/recogniser/local-recogniser";
import { createRuleModel } from "@voice/local-voice/rule-model/rule-model";
import { createLocalSynthesiser } from "@voice/local-voice/synthesiser/local-synthesiser";
import { loadVoiceActivity } from "@voice/provider-kit/voice-activity/local-voice-activity";
import { readToolArguments } from "../../local/command-line/tool-arguments.ts";
import { connectCaller } from "../../local/caller/caller.ts";
import { speakText } from "../../local/person/line-audio.ts";
import { startTestHost } from "../support/test-host.ts";
import { summary } from "./percentiles.ts";

readToolArguments({
  name: "npm run bench:speech",
  help: `What one caller feels of the local speech providers. Takes half a minute and has no options.`,
});

async function onLocalProviders(): Promise<void> {
  const [recogniser, synthesiser, createVoiceActivityDetector] = await Promise.all([
    createLocalRecogniser({ warmDecoders: 1 }),
    createLocalSynthesiser(),
    loadVoiceActivity(),
  ]);
  const languageModel = createRuleModel({ clock: systemClock });
  await using host = await startTestHost({
    clock: systemClock,
    settings: { AGENT_SCENARIO: "banking" },
    providers: { recogniser, synthesiser, createVoiceActivityDetector, languageModel },
  });
  const url = new URL(host.url("/api/v1/browser/conversation"));
  const speak = (text: string) => speakText(synthesiser, { text, voice: "slt", sampleRateHz: 16_000 });
  const [request, backchannel] = await Promise.all([speak("I want to check my balance"), speak("uh huh")]);
  const firstAudio: number[] = [];
  const resumed: number[] = [];
  for (let round = 0; round < 4; round++) {
    using caller = await connectCaller({ url });
    await caller.waitForAgentAudio();
    await caller.pause(800);
    const { stoppedMs } = await caller.speak(backchannel);
    await caller.pause(1000);
    for (const record of caller.records)
      if (
        record.kind === "message" &&
        record.message.type === "event" &&
        record.message.payload.name === "false_interruption"
      )
        resumed.push(record.atMs - stoppedMs);
    await caller.waitForReply();
    await caller.speak(request);
    firstAudio.push((await caller.waitForReply({ quietMs: 300 })).firstAudioMs ?? Number.NaN);
  }
  console.log("local providers, one caller");
  console.log(`  user stopped -> first audio          ${summary(firstAudio, [0.5, 0.95])}`);
  console.log(`  backchannel over -> playout resumed  ${summary(resumed, [0.5, 0.95])}`);
}

await onLocalProviders();
