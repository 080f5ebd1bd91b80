import type { ConnectionState } from "../connection/reconnecting-socket.ts";
import type { AgentState } from "../conversation/conversation-view.ts";
import { displayName } from "../display-name.ts";

const stateText: Readonly<Record<AgentState, string>> = {
  listening: "is listening",
  thinking: "is thinking",
  speaking: "is speaking",
};

interface StageStatusProps {
  readonly connection: ConnectionState;
  readonly agent: string | undefined;
  readonly agentState: AgentState | undefined;
}

/** One line over the transcript: are we connected, and who is doing what. */
export function StageStatus({ connection, agent, agentState }: StageStatusProps) {
  return (
    <p className="stage-status" data-connection={connection.kind} role="status">
      {sentence(connection, agent, agentState)}
    </p>
  );
}

function sentence(connection: ConnectionState, agent: string | undefined, state: AgentState | undefined): string {
  switch (connection.kind) {
    case "idle":
      return "Not connected";
    case "connecting":
      return "Connecting…";
    case "waiting":
      return "Connection lost";
    case "closed":
      return connection.reason === "ended"
        ? "The conversation is over. Talk or type to begin another."
        : "Disconnected";
    case "open":
      if (agent === undefined || state === undefined) return "Connected";
      return `${displayName(agent)} ${stateText[state]}`;
    default:
      return connection satisfies never;
  }
}
