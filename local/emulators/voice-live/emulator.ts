/**
 * Azure Voice Live on loopback: whole conversations over the service's own WebSocket protocol, with a recogniser, a
 * responder and a synthesiser behind it.
 */
import type { IncomingMessage } from "node:http";
import { systemClock } from "@voice/shared/platform/clock";
import type { Clock } from "@voice/shared/platform/clock";
import { parseJson } from "@voice/shared/platform/parse-json";
import type { Recogniser } from "@voice/provider-kit/ports/recogniser";
import type { Synthesiser } from "@voice/provider-kit/ports/synthesiser";
import type { RawData } from "ws";
import type { Responder } from "../openai/emulator.ts";
import { startSocketServer, toBuffer } from "../socket-server.ts";
import { clientEventSchema, refusalOf } from "./client-events.ts";
import { Conversation } from "./conversation.ts";
import type { FailTranscription, TranscriptAfterMs } from "./conversation.ts";
import { LiveSocket } from "./live-socket.ts";
import { documentedRefusals } from "./refused-settings.ts";
import type { RefuseSettings } from "./refused-settings.ts";
import type { LiveFault, LivePhase } from "./live-socket.ts";

export type VoiceLiveEmulatorOptions = {
  readonly port?: number;
  readonly recogniser: Recogniser;
  readonly synthesiser: Synthesiser;
  readonly respond: Responder;
  /** Where given, any other key, and any token but `Bearer <key>`, is refused with 401. */
  readonly key?: string;
  /** The session settings that are refused; by default those that the service is known to refuse. */
  readonly refuse?: RefuseSettings;
  /** Transcription models that fail for each of the caller's items. None by default. */
  readonly failTranscription?: FailTranscription;
  /** None by default: each transcript comes before the answer. */
  readonly transcriptAfterMs?: TranscriptAfterMs;
  readonly clock?: Clock;
};

export type VoiceLiveEmulator = {
  /** `http://127.0.0.1:port`, as a resource's endpoint is written. */
  readonly endpoint: string;
  readonly connections: readonly LiveSocket[];
  handshakes(): number;
  fail(...faults: readonly (LiveFault | undefined)[]): void;
  close(): Promise<void>;
};

const livePath = "/voice-live/realtime";

export async function startVoiceLiveEmulator(options: VoiceLiveEmulatorOptions): Promise<VoiceLiveEmulator> {
  const { recogniser, synthesiser, respond, key, clock = systemClock } = options;
  const connections: LiveSocket[] = [];
  const server = await startSocketServer<LivePhase>({
    port: options.port,
    clock,
    refusal: (request, { pathname, searchParams }) => {
      if (pathname !== livePath) return 404;
      if (!searchParams.has("api-version") || !searchParams.has("model")) return 400;
      return key === undefined || isAuthorised(request, key) ? undefined : 401;
    },
    accept: (socket, accepted) => {
      const live = new LiveSocket(socket, accepted);
      connections.push(live);
      const model = accepted.url.searchParams.get("model") ?? "";
      const conversation = new Conversation(live, {
        recogniser,
        synthesiser,
        respond,
        model,
        refuse: options.refuse ?? documentedRefusals,
        failTranscription: options.failTranscription ?? (() => false),
        transcriptAfterMs: options.transcriptAfterMs ?? (() => 0),
        clock,
        // Voice Live how-to, "Turn Detection Parameters", `prefix_padding_ms` (docs/vendors/voice-live.md).
        ownPadding: (type) => (type === "server_vad" ? 400 : 420),
      });
      socket.on("message", (data: RawData) => {
        const raw = parseJson(toBuffer(data).toString());
        const event = clientEventSchema.safeParse(raw);
        if (!event.success) {
          live.sendEvent("error", { error: refusalOf(raw, event.error) });
          return;
        }
        live.record(event.data);
        conversation.receive(event.data);
      });
      socket.on("close", () => conversation.close());
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

function isAuthorised({ headers }: IncomingMessage, key: string): boolean {
  return headers["api-key"] === key || headers.authorization === `Bearer ${key}`;
}
