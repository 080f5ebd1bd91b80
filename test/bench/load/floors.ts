/** The least that Node can do for the same frames, with the same library: what everything else is measured against. */
import type { AddressInfo } from "node:net";
import { WebSocket, WebSocketServer } from "ws";

async function serve(onConnection: (socket: WebSocket) => void): Promise<number> {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1", perMessageDeflate: false });
  server.on("connection", onConnection);
  await new Promise((resolve) => server.once("listening", resolve));
  const address = server.address() as AddressInfo;
  return address.port;
}

/** Parses a frame and sends it back. */
export function startEcho(): Promise<number> {
  return serve((socket) => {
    socket.on("message", (data: Buffer) => {
      const frame: unknown = JSON.parse(data.toString());
      socket.send(JSON.stringify(frame));
    });
  });
}

/**
 * Carries audio to a realtime service and back as it comes, in JSON on both sides: no pace, no turns, no history. An
 * interruption is passed on as the service tells of it.
 */
export function startBareBridge(serviceUrl: string): Promise<number> {
  return serve((caller) => {
    const service = new WebSocket(`${serviceUrl}/voice-live/realtime`, { perMessageDeflate: false });
    caller.on("message", (data: Buffer) => {
      const audio = member(member(JSON.parse(data.toString()), "audioData"), "data");
      if (service.readyState !== WebSocket.OPEN || audio === undefined) return;
      service.send(JSON.stringify({ type: "input_audio_buffer.append", audio }));
    });
    service.on("message", (data: Buffer) => {
      const event: unknown = JSON.parse(data.toString());
      const type = member(event, "type");
      if (type === "response.audio.delta")
        caller.send(
          JSON.stringify({ Kind: "AudioData", AudioData: { Data: member(event, "delta") }, StopAudio: null }),
        );
      else if (type === "input_audio_buffer.speech_started")
        caller.send(JSON.stringify({ Kind: "StopAudio", AudioData: null, StopAudio: {} }));
    });
    caller.on("close", () => service.close());
  });
}

/**
 * Between a telephony platform and a realtime service that takes its mu-law as it comes: the bytes are put into JSON and taken out of
 * it again.
 */
export function startBareHook(serviceUrl: string): Promise<number> {
  return serve((caller) => {
    const service = new WebSocket(`${serviceUrl}/mulaw/realtime`, { perMessageDeflate: false });
    caller.on("message", (data: Buffer, isBinary) => {
      if (!isBinary || service.readyState !== WebSocket.OPEN) return;
      service.send(JSON.stringify({ type: "input_audio_buffer.append", audio: data.toString("base64") }));
    });
    service.on("message", (data: Buffer) => {
      const event: unknown = JSON.parse(data.toString());
      const type = member(event, "type");
      const delta = member(event, "delta");
      if (type === "response.audio.delta" && typeof delta === "string") caller.send(Buffer.from(delta, "base64"));
      else if (type === "input_audio_buffer.speech_started")
        caller.send(JSON.stringify({ version: "2", type: "event", parameters: { entities: [{ type: "barge_in" }] } }));
    });
    caller.on("close", () => service.close());
  });
}

function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
