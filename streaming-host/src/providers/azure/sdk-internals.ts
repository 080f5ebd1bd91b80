/**
 * All access to the Speech SDK (1.52) beyond its API, in one place and feature-detected: if a later version lacks a part, we fall back to
 * the SDK's own behaviour. Tests in test/integration show the benefit of each part.
 */
import type { PushAudioInputStream, SpeechRecognizer, SpeechSynthesizer } from "microsoft-cognitiveservices-speech-sdk";
import { Recognizer } from "microsoft-cognitiveservices-speech-sdk";
import { WebsocketMessageAdapter } from "microsoft-cognitiveservices-speech-sdk/distrib/lib/src/common.browser/WebsocketMessageAdapter.js";

/**
 * If the runtime has its own WebSocket (Node 22 and later), the SDK prefers it, and a rejected handshake then never settles: there is no
 * event and no callback. The npm package reports it within milliseconds.
 */
export function prepareSpeechSdk(): void {
  WebsocketMessageAdapter.forceNpmWebSocket = true;
  Recognizer.enableTelemetry(false);
}

/** Makes a push stream send 20 ms at a time, the size of callers' frames; by default it collects 100 ms before it sends anything. */
export function sendInChunksOf(stream: PushAudioInputStream, chunkBytes: number): void {
  const inner = readObject(stream, "privStream");
  if (inner !== undefined && typeof Reflect.get(inner, "privTargetChunkSize") === "number") {
    Reflect.set(inner, "privTargetChunkSize", chunkBytes);
  }
}

/** Asks the service to stop the running synthesis; false if the SDK has no such call. */
export function requestStop(synthesizer: SpeechSynthesizer, onRefused: () => void): boolean {
  const adapter = readObject(synthesizer, "internalData");
  const stop: unknown = adapter === undefined ? undefined : Reflect.get(adapter, "stopSpeaking");
  if (adapter === undefined || typeof stop !== "function") return false;
  Promise.resolve(Reflect.apply(stop, adapter, [])).catch(onRefused);
  return true;
}

export type ConnectionWatch = {
  /** The close code of the last socket to close; the SDK's own events often lose it. */
  readonly lastCloseCode: () => number | undefined;
  /**
   * Closes every socket at once, including those during their handshake, and prevents the client from opening more. The SDK's `close` waits
   * for the handshake, which a silent server never completes.
   */
  readonly abandon: () => void;
};

export function watchConnections(client: SpeechRecognizer | SpeechSynthesizer, onClosed: () => void): ConnectionWatch {
  const open = new Set<object>();
  let abandoned = false;
  let lastCloseCode: number | undefined;

  function onEvent(connection: object, event: unknown): void {
    if (typeof event !== "object" || event === null || Reflect.get(event, "name") !== "ConnectionClosedEvent") return;
    const code: unknown = Reflect.get(event, "statusCode");
    if (typeof code === "number") lastCloseCode = code;
    open.delete(connection);
    onClosed();
  }

  const service = readObject(client, "internalData");
  const factory = service && readObject(service, "privConnectionFactory");
  const create: unknown = factory && Reflect.get(factory, "create");
  if (factory !== undefined && typeof create === "function") {
    Reflect.set(factory, "create", async (...args: unknown[]): Promise<unknown> => {
      if (abandoned) throw new Error("the client was closed");
      const connection: unknown = await Reflect.apply(create, factory, args);
      if (typeof connection !== "object" || connection === null) return connection;
      open.add(connection);
      awaitEndBeforeRefusing(connection);
      const events = readObject(connection, "events");
      if (events !== undefined) call(events, "attach", (event: unknown) => onEvent(connection, event));
      if (abandoned) throw new Error("the client was closed");
      return connection;
    });
  }
  return {
    lastCloseCode: () => lastCloseCode,
    abandon: () => {
      abandoned = true;
      for (const connection of open) call(connection, "dispose", "closed");
      open.clear();
    },
  };
}

/**
 * Delays the rejection of a message for a closing socket until the socket has closed, which is at once. The SDK takes every rejection as a
 * reason to resend all of the caller's audio that the service has not recognised yet, without ever yielding to the event that reports the
 * closed socket: up to 30,000 messages, which blocked the thread for a second.
 */
function awaitEndBeforeRefusing(connection: object): void {
  const adapter = readObject(connection, "privConnectionMessageAdapter");
  const send: unknown = adapter && Reflect.get(adapter, "sendRawMessage");
  if (adapter === undefined || typeof send !== "function") return;
  const refuseAfterEnd = async (message: unknown): Promise<unknown> => {
    const socket = readObject(adapter, "privWebsocketClient");
    if (socket !== undefined) call(socket, "terminate");
    const ended = readObject(adapter, "privDisconnectDeferral");
    await (ended && Reflect.get(ended, "promise"));
    const refused: unknown = await Reflect.apply(send, adapter, [message]);
    return refused;
  };
  Reflect.set(adapter, "sendRawMessage", (message: unknown): unknown =>
    message === undefined || Reflect.get(adapter, "isWebsocketOpen") === true
      ? Reflect.apply(send, adapter, [message])
      : refuseAfterEnd(message),
  );
}

function readObject(holder: object, name: string): object | undefined {
  const value: unknown = Reflect.get(holder, name);
  return typeof value === "object" && value !== null ? value : undefined;
}

function call(holder: object, name: string, ...given: readonly unknown[]): void {
  const method: unknown = Reflect.get(holder, name);
  if (typeof method === "function") Reflect.apply(method, holder, given);
}
