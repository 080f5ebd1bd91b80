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
export function StageStatus(props: StageStatusProps) {
  const text = sentence(props);
  return (
    text !== undefined && (
      <p className="stage-status" data-connection={props.connection.kind} role="status">
        {text}
      </p>
    )
  );
}

/** `undefined` where the connection notice says it already. */
function sentence({ connection, agent, agentState: state }: StageStatusProps): string | undefined {
  switch (connection.kind) {
    case "idle":
    case "waiting":
      return undefined;
    case "connecting":
      return connection.attempt === 0 ? "Connecting…" : undefined;
    case "closed":
      return connection.reason === "ended" ? "The conversation is over. Talk or type to begin another." : undefined;
    case "open":
      return agent === undefined || state === undefined ? "Connected" : `${displayName(agent)} ${stateText[state]}`;
    default:
      return connection satisfies never;
  }
}
