/** The library closes the socket of a peer that breaks the protocol with a code alone; this adds what the code means here. */
import { WebSocket } from "ws";
import { closeReasons } from "../../transports/close-reasons.ts";

const { brokenProtocol, invalidText, tooLarge } = closeReasons;
const reasons: ReadonlyMap<number | undefined, string> = new Map(
  [brokenProtocol, invalidText, tooLarge].map(({ code, text }) => [code, text]),
);

export class ExplainingWebSocket extends WebSocket {
  /** The answer to a peer's own close frame has that frame's reason, and is left alone. */
  override close(code?: number, reason?: string | Buffer): void {
    super.close(code, reason ?? reasons.get(code));
  }
}
