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
import { WebSocket, WebSocketServer } from "ws";
import { startTestHost } from "../support/conversation-host.ts";
import { eventually } from "../support/wait.ts";
import { summary } from "./percentiles.ts";

const sessionCount = 40;
const rounds = 6;
/** Its answer lasts 5 s, so that there is something to interrupt even on a machine that stalls. */
const question = "tell me about my savings account please ".repeat(6);

/** As little client as possible: it shares the process, and its work would count as the service's. */
interface Peer {
  readonly socket: WebSocket;
  /** Audio frames since the last StopAudio. */
  lateFrames: number;
  waiting: { readonly mark: string; readonly resolve: (atMs: number) => void } | undefined;
}

const audioMark = '"Kind":"AudioData"';
const stopMark = '"Kind":"StopAudio"';

async function connectPeer(url: string): Promise<Peer> {
  const socket = new WebSocket(url, { perMessageDeflate: false });
  const peer: Peer = { socket, lateFrames: 0, waiting: undefined };
  socket.on("message", (data: Buffer) => {
    const head = data.toString("latin1", 0, 60);
    if (head.includes(audioMark)) peer.lateFrames++;
    else if (head.includes(stopMark)) peer.lateFrames = 0;
    if (peer.waiting === undefined || !head.includes(peer.waiting.mark)) return;
    peer.waiting.resolve(performance.now());
    peer.waiting = undefined;
  });
  await new Promise((resolve, reject) => {
    socket.once("open", resolve);
    socket.once("error", reject);
  });
  return peer;
}

/** Milliseconds from now to the next message of this kind. */
async function timeTo(peer: Peer, mark: string, act: () => void): Promise<number> {
  const startedMs = performance.now();
  const arrived = new Promise<number>((resolve) => {
    peer.waiting = { mark, resolve };
  });
  act();
  return (await arrived) - startedMs;
}

/** What a message there and back takes on this machine now, between as many sockets and in one process as well. */
async function floor(): Promise<number[]> {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1", perMessageDeflate: false });
  server.on("connection", (socket) => socket.on("message", (data: Buffer) => socket.send(data.toString())));
  await new Promise((resolve) => {
    server.once("listening", resolve);
  });
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const peers = await Promise.all(Array.from({ length: sessionCount }, () => connectPeer(`ws://127.0.0.1:${port}`)));
  const times: number[] = [];
  await Promise.all(
    peers.map(async (peer, index) => {
      await sleep(index * 23);
      for (let round = 0; round < rounds; round++) {
        times.push(await timeTo(peer, audioMark, () => peer.socket.send(`{${audioMark}}`)));
        await sleep(200);
      }
      peer.socket.terminate();
    }),
  );
  server.close();
  return times;
}

async function onFakes(): Promise<void> {
  await using host = await startTestHost({ msPerCharacter: 20, settings: { AGENT_SCENARIO: "banking" } });
  const peers: (Peer & { readonly stream: FakeStream })[] = [];
  for (let index = 0; index < sessionCount; index++) {
    const peer = await connectPeer(host.url(`/api/v1/media/stream?call_connection_id=bench-${index}`));
    await eventually(() => host.recogniser.streams.length > index, "the session is open");
    peers.push(Object.assign(peer, { stream: host.recogniser.last }));
  }
  await sleep(4000); // the greetings
  const firstAudio: number[] = [];
  const stops: number[] = [];
  let lateFrames = 0;

  async function converse(peer: Peer & { readonly stream: FakeStream }, index: number): Promise<void> {
    const { socket, stream } = peer;
    await sleep(index * 23);
    for (let round = 0; round < rounds; round++) {
      socket.send('{"kind":"StopAudio"}'); // the turn ends with its final, so that no silence is waited for
      await sleep(50);
      firstAudio.push(await timeTo(peer, audioMark, () => stream.final(question)));
      await sleep(200);
      stops.push(await timeTo(peer, stopMark, () => stream.partial("please stop that")));
      await sleep(100);
      lateFrames += peer.lateFrames;
      stream.final(""); // nothing more was said
      await sleep(300);
    }
  }

  await Promise.all(peers.map(converse));
  for (const { socket } of peers) socket.terminate();
  console.log(`instant fakes, ${sessionCount} sessions`);
  console.log(`  floor: ws message there and back     ${summary(await floor(), [0.5, 0.95, 0.99])}`);
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
