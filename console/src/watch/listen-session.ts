/** Plays both sides of a conversation while it is in progress. */
import { parseServerMessage } from "@voice/shared/contracts/stream/parse-server-message";

import { ReconnectingSocket } from "@voice/client-kit/connection/reconnecting-socket";
import type { ConnectionState, SocketSurroundings } from "@voice/client-kit/connection/reconnecting-socket";
import type { Address } from "@voice/client-kit/connection/socket-address";
import { Store } from "@voice/client-kit/store";

export interface Voice {
  play(samples: ArrayBuffer, sampleRateHz: number): void;
  close(): void;
}

export type ListenState =
  | { readonly kind: "off" }
  | { readonly kind: "on"; readonly sessionId: string; readonly connection: ConnectionState }
  | { readonly kind: "failed"; readonly problem: string };

export interface ListenSessionOptions extends SocketSurroundings {
  readonly socketUrl: (sessionId: string) => Address | Promise<Address>;
  /** One player per side, so that neither waits for the other. Called while a click is being handled. */
  readonly openVoices: () => Promise<Readonly<Record<"caller" | "agent", Voice>>>;
}

export class ListenSession {
  readonly store = new Store<ListenState>({ kind: "off" });
  readonly #options: ListenSessionOptions;
  #stop: (() => void) | undefined;
  #socket: ReconnectingSocket | undefined;
  #hearsAgent = true;

  constructor(options: ListenSessionOptions) {
    this.#options = options;
  }

  async start(sessionId: string): Promise<void> {
    this.stop();
    let isWanted = true;
    this.#stop = () => {
      isWanted = false;
    };
    try {
      const voices = await this.#options.openVoices();
      if (isWanted) this.#open(sessionId, voices);
      else closeAll(voices);
    } catch {
      if (isWanted)
        this.store.set({ kind: "failed", problem: "The browser does not play sound here. Click and try again." });
    }
  }

  /** PERSON-4: what the operator says, as PCM16 at 16 kHz. Dropped while there is no connection. */
  speak(samples: ArrayBuffer): void {
    this.#socket?.send(samples);
  }

  /** False: what is heard in the agent's place would be the operator's own voice. */
  setHearsAgent(hearsAgent: boolean): void {
    this.#hearsAgent = hearsAgent;
  }

  stop(): void {
    this.#stop?.();
    this.#stop = undefined;
    this.store.set({ kind: "off" });
  }

  #open(sessionId: string, voices: Readonly<Record<"caller" | "agent", Voice>>): void {
    const { socketUrl } = this.#options;
    const socket = new ReconnectingSocket(this.#options, {
      answersPings: true,
      url: () => socketUrl(sessionId),
      onState: (connection) => this.store.set({ kind: "on", sessionId, connection }),
      onText: (text) => {
        const message = parseServerMessage(text);
        if (message?.type !== "audio" || message.payload.speaker === undefined) return;
        const { data, sample_rate: sampleRateHz, speaker } = message.payload;
        if (speaker === "agent" && !this.#hearsAgent) return;
        voices[speaker].play(Uint8Array.from(atob(data), (byte) => byte.codePointAt(0) ?? 0).buffer, sampleRateHz);
      },
    });
    this.#socket = socket;
    this.#stop = () => {
      this.#socket = undefined;
      socket.close();
      closeAll(voices);
    };
    socket.open();
  }
}

function closeAll(voices: Readonly<Record<string, Voice>>): void {
  for (const voice of Object.values(voices)) voice.close();
}
