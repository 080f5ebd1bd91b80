/**
 * `@livekit/agents` as a cascade with recognition, model and voice that answer at once, as this service is measured, on audio
 * input and output of our own in place of a LiveKit server. It has no detector of voices to run and no stored history.
 */
import { initializeLogger, llm, stt, tts, voice } from "@livekit/agents";
import { AudioFrame } from "@livekit/rtc-node";
import { reportFigures } from "../load/figures.ts";
import { marks, markSign } from "../instant-providers.ts";
import { PacedLine, serveMedia } from "./media-server.mjs";

reportFigures();
initializeLogger({ pretty: false, level: "silent" });

const rateHz = 16_000;
const frameSamples = rateHz / 50;
const tone = new Int16Array(frameSamples).fill(1000);
const question = `tell me about my savings account, ${"and tell me about my savings account ".repeat(5)}`;
const msPerCharacter = 25;

class InstantRecogniser extends stt.STT {
  label = "instant";

  constructor() {
    super({ streaming: true, interimResults: true });
  }

  async _recognize() {
    throw new Error("it streams");
  }

  stream() {
    return new InstantRecognition(this, rateHz);
  }
}

class InstantRecognition extends stt.SpeechStream {
  label = "instant";

  async run() {
    const tell = (type, text) => this.queue.put({ type, alternatives: [{ ...unknown, text }] });
    for await (const frame of this.input) {
      if (typeof frame === "symbol" || frame.data[1] !== markSign) continue;
      if (frame.data[0] === marks.hearing) {
        this.queue.put({ type: stt.SpeechEventType.START_OF_SPEECH });
        tell(stt.SpeechEventType.PREFLIGHT_TRANSCRIPT, question); // for which it prepares an answer
      } else if (frame.data[0] === marks.question) {
        tell(stt.SpeechEventType.FINAL_TRANSCRIPT, question);
        this.queue.put({ type: stt.SpeechEventType.END_OF_SPEECH });
      } else if (frame.data[0] === marks.interruption) {
        this.queue.put({ type: stt.SpeechEventType.START_OF_SPEECH });
        tell(stt.SpeechEventType.INTERIM_TRANSCRIPT, "please stop that");
      } else if (frame.data[0] === marks.nothing) this.queue.put({ type: stt.SpeechEventType.END_OF_SPEECH });
    }
  }
}
const unknown = { language: "en", startTime: 0, endTime: 0, confidence: 1 };

class InstantModel extends llm.LLM {
  label() {
    return "instant";
  }

  chat({ chatCtx, toolCtx, connOptions }) {
    return new InstantAnswer(this, {
      chatCtx,
      toolCtx,
      connOptions: connOptions ?? { maxRetry: 0, retryIntervalMs: 0, timeoutMs: 5000 },
    });
  }
}

class InstantAnswer extends llm.LLMStream {
  async run() {
    for (const word of `You said ${question}.`.split(/(?<= )/))
      this.queue.put({ id: "answer", delta: { role: "assistant", content: word } });
  }
}

class InstantVoice extends tts.TTS {
  label = "instant";

  constructor() {
    super(rateHz, 1, { streaming: true });
  }

  synthesize() {
    throw new Error("it streams");
  }

  stream() {
    return new InstantSpeech(this);
  }
}

class InstantSpeech extends tts.SynthesizeStream {
  label = "instant";

  async run() {
    let clause = "";
    const speak = () => {
      const frames = Math.ceil((clause.length * msPerCharacter) / 20);
      for (let at = 0; at < frames && !this.closed; at++)
        this.queue.put({
          requestId: "r",
          segmentId: "s",
          frame: new AudioFrame(tone, rateHz, 1, frameSamples),
          final: at === frames - 1,
        });
      clause = "";
    };
    for await (const text of this.input) {
      if (typeof text === "symbol") speak();
      else if (/[,.]\s*$/.test((clause += text))) speak();
    }
    if (clause !== "") speak();
    this.queue.put(tts.SynthesizeStream.END_OF_STREAM);
  }
}

class CallerInput extends voice.AudioInput {
  #controller;

  constructor() {
    super();
    this.multiStream.addInputStream(
      new ReadableStream({ start: (controller) => void (this.#controller = controller) }),
    );
  }

  hear(bytes) {
    const samples = new Int16Array(bytes.length / 2);
    new Uint8Array(samples.buffer).set(bytes);
    this.#controller.enqueue(new AudioFrame(samples, rateHz, 1, samples.length));
  }

  end() {
    this.#controller.close();
  }
}

class CallerOutput extends voice.AudioOutput {
  #caller;
  #line;
  #sentMs = 0;
  #isFlushed = false;

  constructor(caller) {
    super(rateHz);
    this.#caller = caller;
    this.#line = new PacedLine(
      (bytes) => {
        if (this.#sentMs === 0) this.onPlaybackStarted(Date.now());
        this.#sentMs += 20;
        caller.sendAudio(bytes);
      },
      () => this.#finishIfFlushed(),
    );
  }

  async captureFrame(frame) {
    await super.captureFrame(frame);
    this.#isFlushed = false;
    this.#line.push(frame.data.buffer.slice(frame.data.byteOffset, frame.data.byteOffset + frame.data.byteLength));
  }

  flush() {
    super.flush();
    this.#isFlushed = true;
    if (this.#line.isEmpty) this.#finishIfFlushed();
  }

  clearBuffer() {
    if (this.#sentMs === 0 && this.#line.isEmpty) return;
    this.#line.clear();
    this.#caller.stopAudio();
    this.#finish(true);
  }

  close() {
    this.#line.close();
  }

  #finishIfFlushed() {
    if (this.#isFlushed && this.#sentMs > 0) this.#finish(false);
  }

  #finish(interrupted) {
    const playbackPosition = this.#sentMs / 1000;
    this.#sentMs = 0;
    this.#isFlushed = false;
    this.onPlaybackFinished({ playbackPosition, interrupted });
  }
}

await serveMedia(async (caller) => {
  const session = new voice.AgentSession({
    stt: new InstantRecogniser(),
    llm: new InstantModel(),
    tts: new InstantVoice(),
    vad: null,
    turnHandling: {
      turnDetection: "stt",
      endpointing: { minDelay: 0, maxDelay: 0 },
      interruption: { minDuration: 0, minWords: 0 },
    },
  });
  const [input, output] = [new CallerInput(), new CallerOutput(caller)];
  session.input.audio = input;
  session.output.audio = output;
  await session.start({ agent: new voice.Agent({ instructions: "Be brief." }), record: false });
  return {
    hear: (bytes) => input.hear(bytes),
    close() {
      input.end();
      output.close();
      session.close().catch(() => undefined);
    },
  };
});
