/** The part of a WebSocket that the caller uses. */
export interface CallerSocket {
  send(data: string | Uint8Array): void;
  close(): void;
}

export interface CallerSocketEvents {
  onText(text: string): void;
  onAudio(bytes: Uint8Array): void;
  onClose(code: number, reason: string): void;
}

/** Resolves once the socket is open; rejects with a `VoiceError` whose message a person can act on. */
export type OpenCallerSocket = (url: URL, events: CallerSocketEvents, signal: AbortSignal) => Promise<CallerSocket>;
