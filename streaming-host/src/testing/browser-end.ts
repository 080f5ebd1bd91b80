/** A browser's end of a conversation for unit tests: sends messages and records those it receives. */
import { z } from "zod";
import type { FakeSocket } from "./fake-socket.ts";

const message = z.object({ type: z.string(), session_id: z.string(), payload: z.record(z.string(), z.unknown()) });
type Message = z.infer<typeof message>;

export class BrowserEnd {
  readonly socket: FakeSocket;

  constructor(socket: FakeSocket) {
    this.socket = socket;
  }

  say(input: object): void {
    this.socket.deliver(JSON.stringify(input));
  }

  type(text: string): void {
    this.say({ type: "text", text });
  }

  /** The connection is lost without a close frame. */
  leave(): void {
    this.socket.onClose?.("closed with 1006");
  }

  get told(): Message[] {
    return this.socket.sent.flatMap((data) => (typeof data === "string" ? [message.parse(JSON.parse(data))] : []));
  }

  of(type: string): Message["payload"][] {
    return this.told.filter((told) => told.type === type).map(({ payload }) => payload);
  }

  events(name: string): Message["payload"][] {
    return this.of("event").filter((payload) => payload["name"] === name);
  }

  /** The ids of the sessions that were opened on this socket, in order. */
  get sessionIds(): string[] {
    return this.told.filter(({ type }) => type === "session").map(({ session_id: id }) => id);
  }

  get errors(): unknown[] {
    return this.of("error").map(({ code }) => code);
  }

  /** Whole sentences of the agent, as they were heard. */
  get heard(): unknown[] {
    return this.of("response")
      .filter(({ is_final: isFinal }) => isFinal === true)
      .map(({ text }) => text);
  }
}
