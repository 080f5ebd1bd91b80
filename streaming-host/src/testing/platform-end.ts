/** The platform's end of the hook protocol for unit tests: numbers its messages and records those it receives. */
import { z } from "zod";
import type { FakeSocket } from "./fake-socket.ts";

const told = z.object({
  type: z.string(),
  id: z.string(),
  seq: z.number(),
  clientseq: z.number(),
  parameters: z.record(z.string(), z.unknown()),
});

export const hookSessionId = "30b0e395-84d3-4570-ac13-9a62d8f514c0";

export class PlatformEnd {
  readonly #socket: FakeSocket;
  #seq = 0;

  constructor(socket: FakeSocket) {
    this.#socket = socket;
  }

  say(type: string, parameters: object = {}, changes: object = {}): void {
    this.#seq++;
    const envelope = { version: "2", id: hookSessionId, type, seq: this.#seq, serverseq: this.told.length, parameters };
    this.#socket.deliver(JSON.stringify({ ...envelope, position: "PT0S", ...changes }));
  }

  open(changes: object = {}, envelope: object = {}): void {
    this.say(
      "open",
      {
        organizationId: "d7934305-0972-4844-938e-9060eef73d05",
        conversationId: "e160e428-53e2-487c-977d-96989bf5c99d",
        participant: { id: "883efee8-3d6c-4537-b500-6d7ca4b92fa0", ani: "+12025550123", aniName: "", dnis: "" },
        media: [{ type: "audio", format: "PCMU", channels: ["external"], rate: 8000 }],
        ...changes,
      },
      envelope,
    );
  }

  get told(): z.infer<typeof told>[] {
    return this.#socket.sent.flatMap((data) => (typeof data === "string" ? [told.parse(JSON.parse(data))] : []));
  }

  get types(): string[] {
    return this.told.map(({ type }) => type);
  }
}
