import { browserInput, type BrowserInput } from "@voice/shared/contracts/stream/browser-input";
import type { ServerMessageType, ServerPayloads } from "@voice/shared/contracts/stream/server-message";
import { WebSocket, type RawData } from "ws";

import { PacedTone } from "./paced-tone.ts";

const SAMPLE_RATE_HZ = 16_000;
const AUDIBLE = 300;
const END_OF_TURN_MS = 500;
const FRAME_MS = 20;
const THINKING_MS = 120;

type EventPayload = ServerPayloads["event"];

interface FakeTurn {
  readonly turn_id: string;
  readonly agent: string;
  readonly timestamp: string;
  readonly marks: Readonly<Record<string, number>>;
}

interface FakeHistoryItem {
  readonly role: "user" | "assistant";
  readonly content: string;
  readonly agent: string;
  readonly turn_id: string;
  readonly timestamp: string;
  readonly interrupted: boolean;
}

export interface FakeConversationOptions {
  readonly socket: WebSocket;
  readonly id: string;
  readonly resumed: boolean;
  /** How fast it talks. */
  readonly msPerCharacter: number;
  readonly scenario: string | undefined;
  readonly agent: string | undefined;
}

export class FakeConversation {
  readonly id: string;
  readonly turns: FakeTurn[] = [];
  readonly history: FakeHistoryItem[] = [];
  /** What the client sent, apart from audio. */
  readonly inputs: BrowserInput[] = [];
  audioFrames = 0;
  readonly #socket: WebSocket;
  readonly #msPerCharacter: number;
  readonly #watchers = new Set<WebSocket>();
  readonly #tone: PacedTone;
  readonly #createdAt = new Date();
  readonly #scenario: string;
  #agent: string;
  #binaryAudio = false;
  #speechMs = 0;
  #silenceMs = 0;

  constructor({ socket, id, resumed, msPerCharacter, scenario, agent }: FakeConversationOptions) {
    this.#socket = socket;
    this.#msPerCharacter = msPerCharacter;
    this.id = id;
    this.#scenario = scenario ?? "retail_bank";
    this.#agent = agent ?? (scenario === "single_agent" ? "banking" : "front_desk");
    this.#tone = new PacedTone(SAMPLE_RATE_HZ, (samples) => this.#sendAudio(samples));
    socket.on("message", (data, isBinary) => this.#receive(data, isBinary));
    socket.on("close", () => this.#tone.stop());
    this.#send("session", {
      session_id: id,
      resumed,
      streaming_mode: "REALTIME",
      sample_rate: SAMPLE_RATE_HZ,
      agent: this.#agent,
      scenario: this.#scenario,
    });
    if (!resumed) setTimeout(() => this.#answer("greeting", "Welcome to the bank. How can I help you?"), THINKING_MS);
  }

  get isOpen(): boolean {
    return this.#socket.readyState === WebSocket.OPEN;
  }

  describe() {
    return {
      session_id: this.id,
      status: "active",
      streaming_mode: "REALTIME",
      scenario: this.#scenario,
      active_agent: this.#agent,
      channel: "browser",
      created_at: this.#createdAt.toISOString(),
      last_activity_at: new Date().toISOString(),
    };
  }

  describeRow() {
    return {
      session_id: this.id,
      started_at: this.#createdAt.toISOString(),
      ended_at: null,
      duration_ms: Date.now() - this.#createdAt.getTime(),
      channel: "browser",
      who: null,
      scenario: this.#scenario,
      agents: [this.#agent],
      active_agent: this.#agent,
      outcome: "in_progress",
      end_reason: null,
      turns: this.turns.length,
      answer_p95_ms: null,
      failures: 0,
      cost: null,
    };
  }

  relayTo(watcher: WebSocket): void {
    this.#watchers.add(watcher);
    watcher.on("close", () => this.#watchers.delete(watcher));
  }

  /** What the service does when it goes away in the middle of a call. */
  drop(code: number, reason: string): void {
    this.#socket.close(code, reason);
  }

  end(reason: string): void {
    this.#event({ name: "session_ended", reason });
    this.#socket.close(1000, reason);
  }

  close(): void {
    this.#tone.stop();
  }

  #receive(data: RawData, isBinary: boolean): void {
    if (isBinary) {
      this.#hear(toSamples(data));
      return;
    }
    const input = browserInput.safeParse(JSON.parse(toText(data)));
    if (!input.success) {
      this.#send("error", { code: "validation_error", message: "this message is not in the contract" });
      return;
    }
    if (input.data.type === "ping") return this.#send("pong", {});
    this.inputs.push(input.data);
    if (input.data.type === "config") this.#binaryAudio = input.data.audio_output === "binary";
    if (input.data.type === "text") this.#takeTurn(input.data.text);
  }

  #hear(samples: Int16Array): void {
    this.audioFrames += 1;
    const durationMs = (samples.length * 1000) / SAMPLE_RATE_HZ;
    if (samples.some((sample) => Math.abs(sample) > AUDIBLE)) {
      this.#speechMs += durationMs;
      this.#silenceMs = 0;
      if (this.#tone.isPlaying && this.#speechMs >= 100) this.#bargeIn();
      return;
    }
    this.#silenceMs += durationMs;
    if (this.#silenceMs < END_OF_TURN_MS) return;
    if (this.#speechMs > 0) this.#takeTurn("I want to check my balance");
    this.#speechMs = 0;
  }

  #bargeIn(): void {
    this.#tone.stop();
    this.#event({ name: "barge_in", reason: "speech" });
    this.#event({ name: "state_change", state: "listening", agent: this.#agent });
  }

  #takeTurn(text: string): void {
    const turnId = `turn-${this.turns.length + 1}`;
    if (this.#tone.isPlaying) this.#bargeIn();
    this.#remember("user", text, turnId);
    this.#send("transcript", { text, is_final: true, speaker: "user", turn_id: turnId });
    this.#event({ name: "state_change", state: "thinking", agent: this.#agent });
    setTimeout(() => this.#reply(turnId, text.toLowerCase()), THINKING_MS);
  }

  #reply(turnId: string, text: string): void {
    if (text.includes("crash")) {
      this.#send("error", { code: "upstream_unavailable", message: "The language model is not available." });
      this.#answer(turnId, "Sorry, something went wrong on my side. Please try again.");
      return;
    }
    if (!text.includes("balance")) {
      this.#answer(turnId, `You said: ${text}. I can check your balance or block a card.`);
      return;
    }
    if (this.#agent === "front_desk") {
      this.#event({ name: "handoff", from: "front_desk", to: "banking", type: "announced" });
      this.#agent = "banking";
    }
    const call = {
      name: "tool_call",
      tool: "get_account_balance",
      args: { account: "checking" },
      turn_id: turnId,
    } as const;
    this.#event({ ...call, result: null, status: "started" });
    this.#event({ ...call, result: { balance: 1250.75, currency: "USD" }, status: "success", duration_ms: 42 });
    this.#answer(turnId, "Your checking balance is one thousand two hundred fifty dollars and seventy five cents.");
  }

  #answer(turnId: string, text: string): void {
    if (!this.isOpen) return;
    this.#remember("assistant", text, turnId);
    for (const piece of text.split(/(?<=[.?!,] )/))
      this.#send("response", { text: piece, agent: this.#agent, turn_id: turnId, is_final: false });
    this.#send("response", { text, agent: this.#agent, turn_id: turnId, is_final: true });
    this.#event({ name: "state_change", state: "speaking", agent: this.#agent });
    this.#tone.play(text.length * this.#msPerCharacter, () => {
      this.#event({ name: "playout_finished", turn_id: turnId });
      this.#event({ name: "state_change", state: "listening", agent: this.#agent });
    });
    const metrics = {
      recognised_ms: 488,
      end_of_turn_ms: 500,
      model_first_token_ms: 500 + THINKING_MS,
      first_clause_ms: 672,
      synthesis_first_audio_ms: 711,
      first_audio_ms: 712,
      tools_ms: 42,
    };
    this.turns.push({ turn_id: turnId, agent: this.#agent, timestamp: new Date().toISOString(), marks: metrics });
    this.#event({ name: "turn_metrics", turn_id: turnId, metrics });
  }

  #sendAudio(samples: Int16Array): void {
    const bytes = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength);
    if (this.#binaryAudio) this.#socket.send(bytes);
    else this.#send("audio", { data: bytes.toString("base64"), sample_rate: SAMPLE_RATE_HZ });
  }

  #remember(role: FakeHistoryItem["role"], content: string, turnId: string): void {
    const timestamp = new Date().toISOString();
    this.history.push({ role, content, agent: this.#agent, turn_id: turnId, timestamp, interrupted: false });
  }

  #event(payload: EventPayload): void {
    this.#send("event", payload);
  }

  #send<T extends ServerMessageType>(type: T, payload: ServerPayloads[T]): void {
    const text = JSON.stringify({ type, session_id: this.id, timestamp: new Date().toISOString(), payload });
    if (this.isOpen) this.#socket.send(text);
    if (type !== "audio") for (const watcher of this.#watchers) watcher.send(text);
  }
}

function toText(data: RawData): string {
  return toBuffer(data).toString("utf8");
}

function toSamples(data: RawData): Int16Array {
  const bytes = new Uint8Array(toBuffer(data));
  return new Int16Array(bytes.buffer, 0, (SAMPLE_RATE_HZ * FRAME_MS) / 1000);
}

function toBuffer(data: RawData): Buffer {
  return Array.isArray(data) ? Buffer.concat(data) : Buffer.from(new Uint8Array(data));
}
