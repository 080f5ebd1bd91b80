/** For sockets whose peer mostly listens: sending too fast closes them (FR-4). */
import type { Clock } from "@voice/shared/platform/clock";
import { closeReasons } from "./close-reasons.ts";
import { createRateLimit, messageRate } from "./message-limits.ts";
import { messageText } from "./message-text.ts";
import type { Socket } from "./socket.ts";

export function receiveWithinRate(
  socket: Socket,
  clock: Clock,
  receive: (text: string) => void,
  receiveBytes: (bytes: Uint8Array) => void,
): void {
  const isWithinRate = createRateLimit(() => clock.now(), messageRate);
  socket.onMessage = (data, isBinary) => {
    if (isWithinRate()) {
      if (isBinary) receiveBytes(data);
      else receive(messageText(data));
      return;
    }
    socket.onMessage = undefined; // avoids closing twice
    socket.close(closeReasons.tooFrequent.code, closeReasons.tooFrequent.text);
  };
}
