/**
 * Another caller, in a process of its own, so that nothing but the service can make it wait: it asks for a sign of life
 * every 20 ms, as often as audio frames come, and keeps the longest time that an answer took.
 */
import { WebSocket } from "ws";

const frameMs = 20;
/** A caller who says nothing for long is hung up on. */
const sayingMs = 5000;

const socket = new WebSocket(process.argv[2] ?? "");
let longestMs = 0;
let askedAtMs: number | undefined;

function ask(): void {
  if (askedAtMs !== undefined) {
    longestMs = Math.max(longestMs, performance.now() - askedAtMs);
    return;
  }
  askedAtMs = performance.now();
  socket.ping();
}

socket.on("open", () => {
  setInterval(ask, frameMs);
  setInterval(() => socket.send(JSON.stringify({ type: "text", text: "hello" })), sayingMs);
  process.send?.({ type: "open" });
});
socket.on("pong", () => {
  if (askedAtMs !== undefined) longestMs = Math.max(longestMs, performance.now() - askedAtMs);
  askedAtMs = undefined;
});
socket.on("close", () => process.exit(1));
socket.on("error", () => process.exit(1));

/** Each question is answered with the longest wait since the one before. */
process.on("message", () => {
  process.send?.({ type: "longest", longestMs });
  longestMs = 0;
});
