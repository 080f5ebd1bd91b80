/** The first message from a session to its peer (HS-1). */
import type { SessionNotice, Transport } from "../../transports/transport.ts";
import type { Conversation } from "../conversation/conversation.ts";

export function sessionNotice(conversation: Conversation, transport: Transport, resumed: boolean): SessionNotice {
  return {
    type: "session",
    payload: {
      session_id: conversation.sessionId,
      resumed,
      streaming_mode: conversation.record.streamingMode,
      sample_rate: transport.wireRateHz ?? transport.sampleRateHz,
      agent: conversation.agent.name,
      scenario: conversation.record.scenario,
    },
  };
}
