/** Taps what a page sends to its loudspeaker, after the page's own buffering and conversion. */
import { samplesFromBase64 } from "@voice/provider-kit/audio/pcm16";
import type { Page } from "playwright-core";

const JUDGE_RATE_HZ = 16_000;
/** A third of a second: a page that gets no processor for longer loses what was played meanwhile. The most that there is. */
const TAP_FRAMES = 16_384;

/** As text, because the browser's types are not this program's. */
const tap = `
  const recorded = { rateHz: 0, chunks: [] };
  window.recordedLoudspeaker = recorded;
  const connect = AudioNode.prototype.connect;
  AudioNode.prototype.connect = function (target, ...rest) {
    if (target instanceof AudioDestinationNode && this.context instanceof AudioContext) {
      const processor = this.context.createScriptProcessor(${TAP_FRAMES}, 1, 1);
      processor.onaudioprocess = ({ inputBuffer }) => recorded.chunks.push(inputBuffer.getChannelData(0).slice());
      recorded.rateHz = this.context.sampleRate;
      connect.call(this, processor);
      connect.call(processor, target);
    }
    return connect.call(this, target, ...rest);
  };
`;

/** Converted by the browser itself, not by the code under test. */
const collect = `(async () => {
  const { rateHz, chunks } = window.recordedLoudspeaker;
  // What was played last comes with the next chunk; where the sound is off already, none comes.
  const known = chunks.length;
  for (let waits = 0; chunks.length < known + 2 && waits < 20; waits += 1) await new Promise((done) => setTimeout(done, 50));
  const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  const offline = new OfflineAudioContext(1, Math.ceil((length * ${JUDGE_RATE_HZ}) / rateHz), ${JUDGE_RATE_HZ});
  const buffer = offline.createBuffer(1, length, rateHz);
  let at = 0;
  for (const chunk of chunks) {
    buffer.copyToChannel(chunk, 0, at);
    at += chunk.length;
  }
  const source = new AudioBufferSourceNode(offline, { buffer });
  source.connect(offline.destination);
  source.start();
  const rendered = await offline.startRendering();
  const samples = Int16Array.from(rendered.getChannelData(0), (sample) => sample * 32767);
  let bytes = "";
  for (const byte of new Uint8Array(samples.buffer)) bytes += String.fromCharCode(byte);
  return btoa(bytes);
})()`;

/** Before the page is opened. */
export async function recordLoudspeaker(page: Page): Promise<void> {
  await page.addInitScript(tap);
}

/** PCM16 mono at 16 kHz, from the moment the page opened its sound. */
export async function heardFromLoudspeaker(page: Page): Promise<Int16Array> {
  return samplesFromBase64(String(await page.evaluate(collect)));
}
