/** A streaming host on a loopback port with parts that answer at once, and a browser's end of a conversation with it. */
import { createServer } from "node:http";
import type { ConversationArchive } from "@voice/shared/archive/conversation-archive";
import type { Catalog } from "@voice/shared/catalog/catalog";
import { loadCatalog } from "@voice/shared/catalog/load-catalog";
import { builtInCatalogDir } from "@voice/shared/catalog/read-catalog";
import { loadSettings, type Environment } from "@voice/shared/config/load";
import { systemClock } from "@voice/shared/platform/clock";
import { silentLogger } from "@voice/shared/platform/logger";
import type { State } from "@voice/shared/state/ports/state";
import { builtInTools } from "@voice/shared/tools/built-in-tools";
import { composeHost } from "@voice/streaming-host/compose";
import type { LanguageModel, ModelRequest } from "@voice/streaming-host/providers/ports/language-model";
import type { SynthesisRequest } from "@voice/streaming-host/providers/ports/synthesiser";
import type { Providers } from "@voice/streaming-host/server/conversation-services";
import { emptyPool } from "@voice/streaming-host/providers/ports/empty-pool";
import { FakeRecogniser } from "@voice/streaming-host/testing/fake-recogniser";
import { WebSocket } from "ws";
import { z } from "zod";
import { eventually } from "./wait.ts";

const message = z.object({ type: z.string(), session_id: z.string(), payload: z.record(z.string(), z.unknown()) });
type Message = z.infer<typeof message>;

export interface InstantProviders extends Providers {
  readonly recogniser: FakeRecogniser;
  readonly modelRequests: ModelRequest[];
  readonly syntheses: SynthesisRequest[];
}

/** A model that repeats, a voice that says everything in 20 ms, ears that hear only what the test says. */
export function instantProviders(answer: LanguageModel["stream"] = repeat): InstantProviders {
  const modelRequests: ModelRequest[] = [];
  const syntheses: SynthesisRequest[] = [];
  return {
    modelRequests,
    syntheses,
    recogniser: new FakeRecogniser(),
    languageModel: {
      stream(request, signal) {
        modelRequests.push(request);
        return answer(request, signal);
      },
    },
    synthesiser: {
      async synthesise(request, events) {
        syntheses.push(request);
        events.onAudio(new Int16Array(request.sampleRateHz / 50).fill(500));
      },
      pool: () => emptyPool,
      close: async () => undefined,
    },
    createVoiceActivityDetector: () => ({ isSpeech: () => false, close: () => undefined }),
  };
}

async function* repeat({ messages }: ModelRequest): ReturnType<LanguageModel["stream"]> {
  const said = messages.findLast(({ role }) => role === "user");
  yield { type: "text-delta", text: `You said ${said?.content ?? "nothing"}.` };
  yield { type: "finished", reason: "stop" };
}

let catalog: Promise<Catalog> | undefined;

export interface HostRig {
  readonly url: string;
  readonly providers: InstantProviders | undefined;
  close(): Promise<void>;
}

export async function startHost(options: {
  readonly state: State;
  readonly environment?: Environment;
  /** `settings`: as the settings say. */
  readonly providers?: InstantProviders | "settings";
  readonly archive?: ConversationArchive;
  /** How long a caller may be silent. */
  readonly idleMs?: number | undefined;
}): Promise<HostRig> {
  catalog ??= loadCatalog([builtInCatalogDir()], { tools: builtInTools, mcpServers: [] });
  const { state, environment = {}, providers = instantProviders() } = options;
  const composed = await composeHost({
    settings: loadSettings(environment),
    state,
    catalog: await catalog,
    tools: builtInTools,
    logger: silentLogger,
    clock: systemClock,
    idleMs: options.idleMs,
    ...(options.archive === undefined ? {} : { archive: options.archive }),
    ...(providers === "settings" ? {} : { providers }),
  });
  const server = createServer();
  server.on("upgrade", (request, socket, head) => {
    if (!composed.host.handleUpgrade(request, socket, head)) socket.destroy();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    url: `ws://127.0.0.1:${address.port}`,
    providers: providers === "settings" ? undefined : providers,
    async close() {
      await composed.close(0);
      server.close();
      server.closeAllConnections();
    },
  };
}

export interface Refused {
  readonly status: number;
  readonly type: string;
}

const problem = z.object({ type: z.string() });

/** What the upgrade was answered with: 101, or the refusal. */
export function knock(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Refused | 101> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url, { headers });
    socket.once("open", () => {
      socket.close();
      resolve(101);
    });
    socket.once("unexpected-response", (_request, response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.once("end", () => {
        const { type } = problem.parse(JSON.parse(Buffer.concat(chunks).toString()));
        resolve({ status: response.statusCode ?? 0, type });
      });
      response.once("error", reject);
    });
    socket.once("error", reject);
  });
}

export interface Browser {
  readonly messages: readonly Message[];
  readonly sessionId: string;
  send(input: Readonly<Record<string, unknown>>): void;
  sendAudio(samples: Int16Array): void;
  /** Types a turn and resolves with the answer's words, once it was heard to its end. */
  ask(text: string): Promise<string>;
  of(type: string): readonly Message["payload"][];
  close(): Promise<void>;
}

export async function connectBrowser(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Browser> {
  const messages: Message[] = [];
  const socket = new WebSocket(url, { headers });
  socket.on("message", (data: Buffer, isBinary) => {
    if (!isBinary) messages.push(message.parse(JSON.parse(data.toString())));
  });
  const closed = new Promise<void>((resolve) => {
    socket.once("close", () => resolve());
  });
  await new Promise((resolve, reject) => {
    socket.once("open", resolve);
    socket.once("error", reject);
  });
  const of = (type: string) => messages.filter((entry) => entry.type === type).map(({ payload }) => payload);
  await eventually(() => of("session").length > 0, "the session is open");
  const browser: Browser = {
    messages,
    get sessionId() {
      return messages.findLast(({ type }) => type === "session")?.session_id ?? "";
    },
    send: (input) => socket.send(JSON.stringify(input)),
    sendAudio: (samples) => socket.send(Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength)),
    async ask(text) {
      const answered = () => of("event").filter(({ name }) => name === "turn_metrics").length;
      const before = answered();
      browser.send({ type: "text", text });
      await eventually(() => answered() > before, `an answer to "${text}"`);
      const last = of("response").findLast(({ is_final: isFinal }) => isFinal === true);
      return String(last?.["text"]);
    },
    of,
    async close() {
      socket.close();
      await closed;
    },
  };
  return browser;
}
