/** Peers that connect and then stall: half-open and slow ones, ones that never read, ones that flood, and uninvited ones. */
import { connect, type Socket } from "node:net";
import { once } from "node:events";
import { knock } from "../support/browser-client.ts";
import type { Figures } from "./figures.ts";
import type { Target } from "./target.ts";

const closingPatienceMs = 5000;

export async function attackConnections(
  target: Pick<Target, "url" | "socketUrl">,
  figures: Figures,
  count: number,
): Promise<void> {
  const { hostname, port, host } = new URL(target.url);
  const dial = async (bytes: string): Promise<Socket> => {
    figures.inputs += 1;
    const socket = connect(Number(port), hostname);
    socket.on("error", () => undefined);
    await once(socket, "connect");
    socket.write(bytes);
    return socket;
  };
  const many = (bytes: string): Promise<Socket[]> => Promise.all(Array.from({ length: count }, () => dial(bytes)));
  const head = (line: string, headers: string): string => `${line} HTTP/1.1\r\nHost: ${host}\r\n${headers}`;
  const upgrade = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n";
  const key = "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n";

  const silent = await many("");
  const halfHeaders = await many(head("GET /api/v1/health", "X-A: "));
  const halfBodies = await many(
    head("POST /api/v1/agents", "Content-Type: application/json\r\nContent-Length: 1000000\r\n\r\n{"),
  );
  const declared = await many(
    head("POST /api/v1/agents", "Content-Type: application/json\r\nContent-Length: 90000000\r\n\r\n{"),
  );
  // A peer that asks for a conversation and never reads what it is told.
  const deaf = await many(head("GET /api/v1/browser/conversation", upgrade + key));
  for (const socket of deaf) socket.pause();
  // Admitted while nothing protects the service, and then without a word about what they are for.
  const unopened = await many(head("GET /api/v1/telephony/stream", upgrade + key));
  const conversation = await knock(`${target.socketUrl}/api/v1/browser/conversation`);
  if (conversation !== 101) figures.unforeseen.push("silent peers take the places of conversations");
  // A watcher that floods the service with pongs (a zero as the mask), which nobody has asked for.
  const flooding = await dial(head("GET /api/v1/browser/dashboard/relay", upgrade + key));
  flooding.resume();
  flooding.write(Buffer.from("8a8000000000".repeat(100_000), "hex"));
  await closedInTime(flooding);
  figures.openSocketsLeft += flooding.closed ? 0 : 1;
  // Nothing is served at these paths, and the client does not hang up.
  const refused = [
    ...(await many(head("GET /nowhere", upgrade + key))),
    ...(await many(head("GET /api/v1/browser/conversation?session_id=a%20b", upgrade + key))),
  ];
  for (const socket of refused) socket.resume();
  await Promise.all(refused.map((socket) => closedInTime(socket)));
  figures.openSocketsLeft += refused.filter((socket) => !socket.closed).length;
  for (const socket of [
    ...silent,
    ...halfHeaders,
    ...halfBodies,
    ...declared,
    ...deaf,
    ...unopened,
    ...refused,
    flooding,
  ])
    socket.destroy();
}

async function closedInTime(socket: Socket): Promise<void> {
  if (socket.closed) return;
  await Promise.race([once(socket, "close"), new Promise((resolve) => setTimeout(resolve, closingPatienceMs))]);
}
