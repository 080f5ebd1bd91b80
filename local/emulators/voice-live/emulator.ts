/**
 * Azure Voice Live on loopback: whole conversations over the service's own WebSocket protocol, with a recogniser, a
 * responder and a synthesiser behind it.
 */
import { clientEventSchema, refusalOf } from "./client-events.ts";
import { LiveSocket } from "./live-socket.ts";
import type { LiveFault } from "./live-socket.ts";
import { startRealtimeServer } from "./realtime-server.ts";
import type { RealtimeServiceOptions } from "./realtime-server.ts";
import { documentedRefusals } from "./refused-settings.ts";

export type VoiceLiveEmulator = {
  /** `http://127.0.0.1:port`, as a resource's endpoint is written. */
  readonly endpoint: string;
  readonly connections: readonly LiveSocket[];
  handshakes(): number;
  fail(...faults: readonly (LiveFault | undefined)[]): void;
  close(): Promise<void>;
};

export async function startVoiceLiveEmulator(options: RealtimeServiceOptions): Promise<VoiceLiveEmulator> {
  const { server, connections } = await startRealtimeServer(options, {
    path: "/voice-live/realtime",
    parameters: ["api-version", "model"],
    isAuthorised: (headers, key) => headers["api-key"] === key || headers.authorization === `Bearer ${key}`,
    refuse: documentedRefusals,
    // Voice Live how-to, "Turn Detection Parameters", `prefix_padding_ms` (docs/vendors/voice-live.md).
    ownPadding: (type) => (type === "server_vad" ? 400 : 420),
    createSocket: (socket, accepted) => new LiveSocket(socket, accepted),
    read(raw, live) {
      const event = clientEventSchema.safeParse(raw);
      if (event.success) return event.data;
      live.sendEvent("error", { error: refusalOf(raw, event.error) });
      return undefined;
    },
  });
  return {
    endpoint: `http://${server.host}`,
    connections,
    handshakes: () => server.handshakes(),
    fail: (...faults) => server.fail(faults),
    close: () => server.close(),
  };
}
