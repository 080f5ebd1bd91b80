/**
 * Azure Web PubSub as far as live updates need it: it takes what is sent to groups with a token of the service's key, and
 * passes it on to clients in the group that their token names. A client without roles may neither join nor send.
 * The pages and the SDK that say so are in docs/vendors/web-pubsub.md.
 */
import type { IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { jwtVerify } from "jose";
import { WebSocketServer, type WebSocket } from "ws";
import { z } from "zod";
import { listen } from "../../local/emulators/listen.ts";

const key = Buffer.from("a key of sufficient length for the token").toString("base64");
const protocol = "json.webpubsub.azure.v1";
const claims = z.object({ "webpubsub.group": z.array(z.string()), role: z.array(z.string()).default([]) });
const request = z.looseObject({ type: z.string(), ackId: z.number().optional() });

interface SentUpdate {
  readonly group: string;
  readonly type: string;
}

export interface FakeWebPubSub {
  readonly connectionString: string;
  /** What it took. */
  readonly sent: readonly SentUpdate[];
  /** `hangs`: takes requests and does not answer them. A number: refuses with this status. */
  behaves(how: "well" | "hangs" | number): void;
  close(): Promise<void>;
}

export async function startWebPubSub(): Promise<FakeWebPubSub> {
  const sent: SentUpdate[] = [];
  const members = new Map<WebSocket, readonly string[]>();
  let behaviour: "well" | "hangs" | number = "well";
  let origin = "";

  async function verify(token: string, audience: string) {
    const { payload } = await jwtVerify(token, new TextEncoder().encode(key), { audience });
    return payload;
  }

  async function take(incoming: IncomingMessage): Promise<number | undefined> {
    const { pathname } = new URL(incoming.url ?? "", origin);
    const group = decodeURIComponent(/^\/api\/hubs\/voice\/groups\/([^/]+)\/:send$/.exec(pathname)?.[1] ?? "");
    const data: unknown = JSON.parse(await text(incoming));
    if (behaviour !== "well") return behaviour === "hangs" ? undefined : behaviour;
    if (group === "") return 404;
    const token = /^Bearer (.+)$/.exec(incoming.headers.authorization ?? "")?.[1] ?? "";
    const payload = await verify(token, origin + incoming.url).catch(() => undefined);
    if (payload === undefined) return 401;
    sent.push({ group, type: z.object({ type: z.string() }).parse(data).type });
    const message = JSON.stringify({ type: "message", from: "group", group, dataType: "json", data });
    for (const [socket, groups] of members) if (groups.includes(group)) socket.send(message);
    return 202;
  }

  const listening = await listen((incoming, response) => {
    void take(incoming).then((status) => status !== undefined && response.writeHead(status).end());
  });
  origin = `http://${listening.host}`;
  const sockets = new WebSocketServer({ noServer: true, handleProtocols: () => protocol });
  listening.server.on("upgrade", (incoming, socket, head) => {
    const { pathname, searchParams } = new URL(incoming.url ?? "", origin);
    void verify(searchParams.get("access_token") ?? "", origin + pathname).then(
      (payload) => sockets.handleUpgrade(incoming, socket, head, (client) => welcome(client, claims.parse(payload))),
      () => socket.end("HTTP/1.1 401 Unauthorized\r\n\r\n"),
    );
  });

  function welcome(client: WebSocket, { role, ...granted }: z.output<typeof claims>): void {
    members.set(client, granted["webpubsub.group"]);
    client.on("close", () => members.delete(client));
    client.on("message", (bytes: Buffer) => {
      const { ackId } = request.parse(JSON.parse(bytes.toString()));
      const error = role.length === 0 ? { name: "Forbidden", message: "The client has no permission." } : undefined;
      client.send(JSON.stringify({ type: "ack", ackId, success: error === undefined, error }));
    });
    client.send(JSON.stringify({ type: "system", event: "connected", connectionId: "connection-1" }));
  }

  return {
    connectionString: `Endpoint=${origin};AccessKey=${key};Version=1.0;`,
    sent,
    behaves(how) {
      behaviour = how;
    },
    async close() {
      for (const client of members.keys()) client.terminate();
      await listening.close();
    },
  };
}
