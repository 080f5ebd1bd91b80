/** Connects the caller of a dialogue without a socket, and tells what the conversation has used. */
import { anonymous } from "@voice/shared/auth/caller";
import type { Usage } from "@voice/shared/costs/usage";
import type { State } from "@voice/shared/state/ports/state";
import type { Conversations } from "@voice/streaming-host/server/conversations/conversations";
import { customerIdOf } from "./dialogue-customers.ts";
import type { DialogueCustomers } from "./dialogue-customers.ts";
import type { Dialogue } from "./dialogue.ts";
import type { RecordingTransport } from "./recording-transport.ts";

export interface ConnectedCaller {
  readonly sessionId: string;
  hangUp(): Promise<void>;
  usage(): Promise<Usage>;
}

export async function connectCaller(
  dialogue: Dialogue,
  parts: {
    readonly conversations: Conversations;
    readonly state: State;
    readonly transport: RecordingTransport;
    readonly customers: DialogueCustomers;
  },
): Promise<ConnectedCaller> {
  const { conversations, state, transport, customers } = parts;
  const { scenario, agent } = dialogue;
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
    sessionId: transport.sessionId,
    hangUp: () => connection.close("finished"),
    async usage() {
      const record = await state.sessions.get(transport.sessionId);
      return typeof record === "string" ? {} : (record.usage ?? {});
    },
  };
}
