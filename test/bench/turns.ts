/**
 * How long turns take. On fakes that answer at once: what the service itself adds, with 40 sessions and their clients in
 * one process. On the local providers: what a caller feels. Run with `npm run bench`; bounded to about a minute.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { systemClock } from "@voice/shared/platform/clock";
import { createLocalRecogniser } from "@voice/streaming-host/providers/local/recogniser/local-recogniser";
import { createRuleModel } from "@voice/streaming-host/providers/local/rule-model/rule-model";
import { createLocalSynthesiser } from "@voice/streaming-host/providers/local/synthesiser/local-synthesiser";
import { loadVoiceActivity } from "@voice/streaming-host/providers/local/voice-activity/local-voice-activity";
import type { FakeStream } from "@voice/streaming-host/testing/fake-recogniser";
import { connectCaller } from "../../local/caller/caller.ts";
import { speakText } from "../../local/caller/line-audio.ts";
import { startTestHost } from "../support/conversation-host.ts";
import { dial } from "../support/socket-client.ts";
import type { SocketClient } from "../support/socket-client.ts";
import { summary } from "./percentiles.ts";

const sessionCount = 40;
const rounds = 8;

interface Peer {
  readonly client: SocketClient;
  readonly stream: FakeStream;
}

function isAudio({ Kind }: { Kind?: string | undefined }): boolean {
  return Kind === "AudioData";
}

/** Milliseconds from now to the first message that comes from now on and fits. */
async function timeTo(
  client: SocketClient,
  fits: (message: { Kind?: string | undefined }) => boolean,
  act: () => void,
) {
  const seen = client.messages.length;
  const startedMs = performance.now();
  act();
  const found = await client.until("the message", () => client.messages.slice(seen).find(fits));
  return found.atMs - startedMs;
}

async function onFakes(): Promise<void> {
  await using host = await startTestHost({ msPerCharacter: 20, settings: { AGENT_SCENARIO: "banking" } });
  const peers: Peer[] = [];
  for (let index = 0; index < sessionCount; index++) {
    const client = await dial(host.url(`/api/v1/media/stream?call_connection_id=bench-${index}`));
    await client.next("session", ({ type }) => type === "session");
    peers.push({ client, stream: host.recogniser.last });
  }
  await sleep(3500); // the greetings
  const firstAudio: number[] = [];
  const stops: number[] = [];
  let lateFrames = 0;

  async function converse({ client, stream }: Peer, index: number): Promise<void> {
    await sleep(index * 23);
    for (let round = 0; round < rounds; round++) {
      client.send({ kind: "StopAudio" }); // the turn ends with its final, so that no silence is waited for
      await sleep(30);
      firstAudio.push(await timeTo(client, isAudio, () => stream.final("tell me about my savings account please")));
      await sleep(200);
      const stopped = client.messages.length;
      stops.push(
        await timeTo(
          client,
          ({ Kind }) => Kind === "StopAudio",
          () => stream.partial("please stop that"),
        ),
      );
      await sleep(100);
      const stopAt = client.messages.findIndex(({ Kind }, at) => at >= stopped && Kind === "StopAudio");
      lateFrames += client.messages.slice(stopAt).filter(isAudio).length;
      stream.final(""); // nothing more was said
      client.messages.length = 0;
      await sleep(300);
    }
  }

  await Promise.all(peers.map(converse));
  for (const { client } of peers) client.socket.terminate();
  console.log(`instant fakes, ${sessionCount} sessions`);
  console.log(`  final -> first audio on the socket   ${summary(firstAudio, [0.5, 0.95, 0.99])}`);
  console.log(`  decision -> StopAudio on the socket  ${summary(stops, [0.5, 0.95, 0.99])}`);
  console.log(`  audio frames after StopAudio         ${lateFrames}`);
}

async function onLocalProviders(): Promise<void> {
  const [recogniser, synthesiser, createVoiceActivityDetector] = await Promise.all([
    createLocalRecogniser({ warmDecoders: 1 }),
    createLocalSynthesiser(),
    loadVoiceActivity(),
  ]);
  const languageModel = createRuleModel({ clock: systemClock });
  await using host = await startTestHost({
    settings: { AGENT_SCENARIO: "banking" },
    providers: { recogniser, synthesiser, createVoiceActivityDetector, languageModel },
  });
  const url = new URL(host.url("/api/v1/browser/conversation"));
  const speak = (text: string) => speakText(synthesiser, { text, voice: "slt", sampleRateHz: 16_000 });
  const [question, backchannel] = await Promise.all([speak("I want to check my balance"), speak("uh huh")]);
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
    await caller.speak(question);
    firstAudio.push((await caller.waitForReply({ quietMs: 300 })).firstAudioMs ?? Number.NaN);
  }
  console.log("local providers, one caller");
  console.log(`  user stopped -> first audio          ${summary(firstAudio, [0.5, 0.95])}`);
  console.log(`  backchannel over -> playout resumed  ${summary(resumed, [0.5, 0.95])}`);
}

await onFakes();
await onLocalProviders();
