/** A socket whose other end is the test. */
import type { Socket } from "../transports/socket.ts";

export class FakeSocket implements Socket {
  readonly sent: (string | Uint8Array)[] = [];
  closedWith: number | undefined;
  unsentBytes = 0;
  onMessage: Socket["onMessage"];
  onClose: Socket["onClose"];

  start(): void {
    // The test decides when messages are delivered.
  }

  send(data: string | Uint8Array): void {
    this.sent.push(typeof data === "string" ? data : Uint8Array.from(data));
  }

  sendSoon(data: string): void {
    this.sent.push(data);
  }

  sendAfterAudio(encode: () => string): void {
    this.sent.push(encode());
  }

  probe(onAnswered: () => void): void {
    onAnswered();
  }

  close(code: number): void {
    this.closedWith ??= code;
  }

  get binary(): Uint8Array[] {
    return this.sent.filter((data) => typeof data !== "string");
  }

  deliver(data: string | Uint8Array): void {
    this.onMessage?.(typeof data === "string" ? Buffer.from(data) : data, typeof data !== "string");
  }
}
