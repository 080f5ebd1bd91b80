/** Connects the caller of a dialogue to a host of its own, without a socket, and tells what the conversation has used. */
import { anonymous } from "@voice/shared/auth/caller";
import type { Catalog } from "@voice/shared/catalog/catalog";
import type { Settings } from "@voice/shared/config/settings";
import type { Prices } from "@voice/shared/costs/prices";
import type { Usage } from "@voice/shared/costs/usage";
import type { Clock } from "@voice/shared/platform/clock";
import { silentLogger } from "@voice/shared/platform/logger";
import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import type { Tool } from "@voice/shared/tools/tool";
import { createHost } from "@voice/streaming-host/host/host";
import { Conversations } from "@voice/streaming-host/server/conversations/conversations";
import type { Providers } from "@voice/streaming-host/server/conversations/providers";
import { customerIdOf, customerSourceOf } from "./dialogue-customers.ts";
import type { DialogueCustomers } from "./dialogue-customers.ts";
import type { Dialogue } from "./dialogue.ts";
import { RecordingTransport } from "./recording-transport.ts";

export interface CalledHost {
  readonly clock: Clock;
  readonly settings: Settings;
  readonly catalog: Catalog;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly customers: DialogueCustomers;
  readonly providers: Providers;
  readonly prices?: Prices | undefined;
}

export interface ConnectedCaller {
  readonly transport: RecordingTransport;
  readonly sessionId: string;
  hangUp(): Promise<void>;
  usage(): Promise<Usage>;
}

export async function connectCaller(dialogue: Dialogue, called: CalledHost): Promise<ConnectedCaller> {
  const { clock, settings, catalog, tools, customers, providers, prices } = called;
  const { scenario, agent } = dialogue;
  const logger = silentLogger;
  const state = createMemoryState({ clock, logger });
  const transport = new RecordingTransport(clock);
  const conversations = new Conversations(createHost({ id: "host-dialogues", settings, state, clock, logger }), {
    catalog,
    tools,
    findTool: (name) => tools.get(name),
    customers: await customerSourceOf(customers, state.profiles),
    providers,
    prices,
  });
  const profileId = await customerIdOf(dialogue, customers, state.profiles);
  const connection = await conversations.connect({
    transport,
    request: {
      caller: anonymous,
      owner: undefined,
      channel: "browser",
      streamingMode: "REALTIME",
      scenario,
      agent,
      profileId,
    },
    life: { onClosed: () => undefined },
  });
  return {
    transport,
    sessionId: transport.sessionId,
    async hangUp() {
      await connection.close("finished");
      await conversations.close();
      await state.close();
    },
    async usage() {
      const record = await state.sessions.get(transport.sessionId);
      return typeof record === "string" ? {} : (record.usage ?? {});
    },
  };
}
