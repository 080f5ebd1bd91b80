import type { ConnectionState } from "@voice/client-kit/connection/reconnecting-socket";
import type { AgentState } from "../conversation/conversation-view.ts";
import { endingInWords } from "../conversation/explain-reason.ts";
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
  /** Why the conversation is over; empty if unknown, and undefined while it goes on. */
  readonly ended?: string | undefined;
  /** The service has placed the call. */
  readonly isOutgoing?: boolean;
  /** Somebody has taken the conversation over, and the agent is silent. */
  readonly isWithPerson?: boolean;
  /** Where more is known of the user's own conversation, once it is over. */
  readonly overHref?: string | undefined;
}

/** One line above the transcript: the state of the connection, and who is speaking, listening or thinking. */
export function StageStatus(props: StageStatusProps) {
  const text = sentence(props);
  return (
    text !== undefined && (
      <p
        className="stage-status"
        data-connection={props.ended === undefined ? props.connection.kind : "ended"}
        role="status"
      >
        {text}
        {props.connection.kind === "closed" && props.overHref !== undefined && (
          <>
            {" "}
            <a href={props.overHref}>Transcript, recording and latency</a>
          </>
        )}
      </p>
    )
  );
}

/** `undefined` if the connection notice already says it. */
function sentence({
  connection,
  agent,
  agentState: state,
  ended,
  isOutgoing = false,
  isWithPerson = false,
}: StageStatusProps): string | undefined {
  if (ended !== undefined) return ended === "" ? "Ended" : `Ended, because ${endingInWords(ended, isOutgoing)}`;
  switch (connection.kind) {
    case "idle":
    case "waiting":
      return undefined;
    case "connecting":
      return connection.attempt === 0 ? "Connecting…" : undefined;
    case "closed":
      return connection.reason === "ended" ? "The conversation is over. Talk or type to begin another." : undefined;
    case "open":
      if (isWithPerson) return "A person has the conversation";
      if (agent === undefined) return "Connected";
      // A user who starts to watch learns only a moment later what the agent is doing.
      return state === undefined ? `With ${displayName(agent)}` : `${displayName(agent)} ${stateText[state]}`;
    default:
      return connection satisfies never;
  }
}
