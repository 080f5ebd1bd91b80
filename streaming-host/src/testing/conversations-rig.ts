/** A host's conversations on a virtual clock, with providers that answer at once. */
import { anonymous } from "@voice/shared/auth/caller";
import { defaultProfile } from "@voice/demo/profiles/default-profile";
import { createStoredCustomers } from "@voice/shared/profiles/stored-customers";
import { loadCatalog } from "@voice/shared/catalog/load-catalog";
import { demoCatalogDirs, demoTools } from "@voice/shared/demo/demo-parts";
import { loadSettings } from "@voice/shared/config/load";
import { silentLogger } from "@voice/shared/platform/logger";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import type { State } from "@voice/shared/state/ports/state";
import type { LiveConnection } from "../server/accept/live-connections.ts";
import type { ConversationLife } from "../server/conversations/connect/connection.ts";
import { createHost, type Host } from "../host/host.ts";
import { Conversations } from "../server/conversations/conversations.ts";
import type { ConversationsOptions } from "../server/conversations/conversations.ts";
import type { ConversationRequest } from "../session/conversation/open-conversation.ts";
import { BrowserTransport } from "../transports/browser/browser-transport.ts";
import { EchoModel } from "./echo-model.ts";
import { FakeRealtimeModel } from "./fake-realtime-model.ts";
import { FakeRecogniser } from "./fake-recogniser.ts";
import { FakeSocket } from "./fake-socket.ts";
import { FakeSynthesiser } from "./fake-synthesiser.ts";
import { z } from "zod";

const catalog = await loadCatalog(demoCatalogDirs, { tools: demoTools, mcpServers: [] });

export interface ConversationsRigOptions {
  readonly environment?: Readonly<Record<string, string>>;
  /** For two hosts that share one state store and one clock. */
  readonly clock?: VirtualClock;
  readonly state?: State;
  readonly hostId?: string;
  /** How fast the agents speak; if absent, in almost no time. */
  readonly msPerCharacter?: number;
  readonly options?: Partial<ConversationsOptions & Host>;
}

export interface ConnectedBrowser extends BrowserEnd {
  readonly connection: LiveConnection;
  /** Why the conversation ended by itself. */
  readonly endReasons: string[];
  closes: number;
}

export function conversationsRig(given: ConversationsRigOptions = {}) {
  const clock = given.clock ?? new VirtualClock();
  const state = given.state ?? createMemoryState({ clock, logger: silentLogger });
  const settings = loadSettings(given.environment ?? {});
  const recogniser = new FakeRecogniser();
  const synthesiser = new FakeSynthesiser(clock, given.msPerCharacter ?? 1);
  const languageModel = new EchoModel();
  const realtimeModel = new FakeRealtimeModel();
  /** The sessions that have left their sockets. */
  const left: string[] = [];
  const id = given.hostId ?? "host-1";
  const host = createHost({ id, settings, state, clock, logger: silentLogger, ...given.options });
  const conversations = new Conversations(host, {
    catalog,
    tools: demoTools,
    findTool: (name) => demoTools.get(name),
    customers: createStoredCustomers(state.profiles, defaultProfile),
    providers: {
      recogniser,
      synthesiser,
      languageModel,
      createVoiceActivityDetector: () => ({ isSpeech: (frame) => frame[0] !== 0, close: () => undefined }),
      realtimeModel,
    },
    onLeft: (sessionId) => void left.push(sessionId),
    ...given.options,
  });

  /** Advances the clock and runs everything that falls due. */
  async function pass(ms: number): Promise<void> {
    await clock.advanceAsync(ms, 10);
  }

  /** Opens a conversation on a browser's socket, without waiting for the greeting. */
  async function connect(
    request: Partial<ConversationRequest> = {},
    life: Partial<ConversationLife> = {},
  ): Promise<ConnectedBrowser> {
    const socket = new FakeSocket();
    const endReasons: string[] = [];
    const browser = new BrowserEnd(socket);
    const connected = Object.assign(browser, { endReasons, closes: 0 });
    const connection = await conversations.connect({
      transport: new BrowserTransport(socket, clock, 16_000),
      request: { caller: anonymous, owner: undefined, channel: "browser", streamingMode: "REALTIME", ...request },
      life: {
        onEnded: (reason) => void endReasons.push(reason),
        onClosed: () => void connected.closes++,
        ...life,
      },
    });
    return Object.assign(connected, { connection });
  }

  return {
    catalog,
    clock,
    state,
    settings,
    host,
    conversations,
    recogniser,
    synthesiser,
    languageModel,
    realtimeModel,
    left,
    pass,
    connect,
  };
}

const message = z.object({ type: z.string(), session_id: z.string(), payload: z.record(z.string(), z.unknown()) });
type Message = z.infer<typeof message>;

/** A browser's end of a conversation for unit tests: sends messages and records those it receives. */
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
