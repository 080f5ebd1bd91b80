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

function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
