/**
 * A server that does nothing but send a frame every 20 ms to every client. Delays of the machine affect it as well, so a
 * comparison shows which part of a frame's lateness the service caused.
 */
import { z } from "zod";
import { WebSocketServer } from "ws";

const frameMs = 20;
const frame = Buffer.alloc(640);

const server = new WebSocketServer({ port: 0, host: "127.0.0.1", perMessageDeflate: false });
server.on("connection", (socket) => {
  socket.on("error", () => undefined);
  let dueMs = performance.now();
  const send = (): void => {
    if (socket.readyState !== socket.OPEN) return;
    socket.send(frame);
    dueMs += frameMs;
    setTimeout(send, Math.max(0, dueMs - performance.now()));
  };
  send();
});
server.on("listening", () => {
  const { port } = z.object({ port: z.int() }).parse(server.address());
  process.send?.({ type: "listening", port });
});
process.on("disconnect", () => process.exit(0));
