/** The same media protocol in front of every peer: frames of the caller in, audio and the order to be quiet out. */
import { WebSocketServer } from "ws";

const frameMs = 20;

/** `onCaller` is given what sends to the caller, and returns what takes the caller's audio, as bytes. */
export async function serveMedia(onCaller) {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1", perMessageDeflate: false });
  server.on("connection", (socket) => {
    let hear;
    let close = () => undefined;
    socket.on("message", (/** @type {Buffer} */ data) => {
      const { kind, audioData } = JSON.parse(data.toString());
      if (kind === "AudioData") hear?.(Buffer.from(audioData.data, "base64"));
    });
    socket.on("close", () => close());
    const caller = {
      sendAudio: (bytes) => {
        const AudioData = { Data: Buffer.from(bytes).toString("base64") };
        socket.send(JSON.stringify({ Kind: "AudioData", AudioData, StopAudio: null }));
      },
      stopAudio: () => socket.send(JSON.stringify({ Kind: "StopAudio", AudioData: null, StopAudio: {} })),
    };
    onCaller(caller).then(
      (peer) => ({ hear, close } = peer),
      () => socket.terminate(),
    );
  });
  await new Promise((resolve) => server.once("listening", resolve));
  process.send?.({ port: server.address().port });
}

/** Sends what it is given at the pace at which it is heard, a tenth of a second ahead; one timer for all callers. */
const lines = new Set();
setInterval(() => {
  const nowMs = performance.now();
  for (const line of lines) line.pump(nowMs);
}, frameMs / 2);

export class PacedLine {
  #frames = [];
  #sentUntilMs = 0;
  #send;
  #onEmpty;

  constructor(send, onEmpty) {
    this.#send = send;
    this.#onEmpty = onEmpty;
    lines.add(this);
  }

  push(bytes) {
    this.#frames.push(bytes);
    this.pump(performance.now());
  }

  pump(nowMs) {
    while (this.#frames.length > 0 && this.#sentUntilMs - nowMs < 100) {
      this.#sentUntilMs = Math.max(this.#sentUntilMs, nowMs) + frameMs;
      this.#send(this.#frames.shift());
      if (this.#frames.length === 0) this.#onEmpty();
    }
  }

  clear() {
    this.#frames = [];
    this.#sentUntilMs = 0;
  }

  get isEmpty() {
    return this.#frames.length === 0;
  }

  close() {
    lines.delete(this);
  }
}
