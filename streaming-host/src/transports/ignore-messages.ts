/** For sockets whose peer only listens: what it sends is ignored, unless it sends too fast (FR-4). */
import type { Clock } from "@voice/shared/platform/clock";
import { closeReasons } from "./close-reasons.ts";
import { createRateLimit, messageRate } from "./message-limits.ts";
import type { Socket } from "./socket.ts";

export function ignoreMessages(socket: Socket, clock: Clock): void {
  const isWithinRate = createRateLimit(() => clock.now(), messageRate);
  socket.onMessage = () => {
    if (isWithinRate()) return;
    socket.onMessage = undefined; // one close is enough
    socket.close(closeReasons.tooFrequent.code, closeReasons.tooFrequent.text);
  };
}
