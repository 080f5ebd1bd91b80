/** A tool with a lasting effect: a tool server (MCP) that counts its bookings and takes as long as the test wants. */
import { z } from "zod";
import { listen } from "../../local/emulators/listen.ts";

export interface BookingOffice {
  readonly url: string;
  readonly bookings: number;
  /** Those that were made in one conversation. */
  bookingsOf(sessionId: string): number;
  /** The next booking is made and its answer held back until `release`. Resolves when it was made. */
  holdNext(): Promise<void>;
  release(): void;
  close(): Promise<void>;
}

const rpcRequest = z.object({
  id: z.number().optional(),
  method: z.string(),
  params: z
    .looseObject({ _meta: z.looseObject({ "voice-agent-service/session_id": z.string().optional() }).optional() })
    .optional(),
});
const book = { name: "book", description: "Books a table.", inputSchema: { type: "object", properties: {} } };

export async function startBookingOffice(): Promise<BookingOffice> {
  let bookings = 0;
  const bySession = new Map<string, number>();
  let made: PromiseWithResolvers<undefined> | undefined;
  let released = Promise.resolve();
  let release = (): void => undefined;

  async function answer({ method, params }: z.infer<typeof rpcRequest>): Promise<unknown> {
    switch (method) {
      case "initialize":
        return {
          protocolVersion: "2025-06-18",
          capabilities: { tools: {} },
          serverInfo: { name: "booking", version: "1.0.0" },
        };
      case "tools/list":
        return { tools: [book] };
      case "tools/call":
        bookings += 1;
        note(params?._meta?.["voice-agent-service/session_id"] ?? "");
        made?.resolve(undefined);
        await released;
        return { content: [{ type: "text", text: "booked" }] };
      default:
        return {};
    }
  }

  function note(sessionId: string): void {
    bySession.set(sessionId, (bySession.get(sessionId) ?? 0) + 1);
  }

  const listening = await listen((request, response) => {
    void (async () => {
      let text = "";
      for await (const part of request) text += String(part);
      if (request.method !== "POST") return response.writeHead(405).end();
      const asked = rpcRequest.parse(JSON.parse(text));
      const { id } = asked;
      if (id === undefined) return response.writeHead(202).end();
      const result = await answer(asked);
      return response
        .writeHead(200, { "content-type": "application/json" })
        .end(JSON.stringify({ jsonrpc: "2.0", id, result }));
    })();
  });
  return {
    url: `http://${listening.host}/mcp`,
    get bookings() {
      return bookings;
    },
    bookingsOf: (sessionId) => bySession.get(sessionId) ?? 0,
    holdNext() {
      made = Promise.withResolvers<undefined>();
      const gate = Promise.withResolvers<void>();
      released = gate.promise;
      release = () => gate.resolve();
      return made.promise;
    },
    release: () => release(),
    async close() {
      release();
      await listening.close();
    },
  };
}
