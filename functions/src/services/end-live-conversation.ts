/**
 * Makes the host that runs a conversation end it when its session has been reset or deleted: otherwise it would continue, and nobody could
 * find it.
 */
import { operatorTopic, type OperatorCommand } from "@voice/shared/contracts/events/operator-command";
import type { SessionRecord } from "@voice/shared/state/ports/session-store";
import type { State } from "@voice/shared/state/ports/state";

/** The agent says goodbye first. Does nothing if no host holds the conversation. */
export function endLiveConversation(
  { sessionId, hostId, status }: Pick<SessionRecord, "sessionId" | "hostId" | "status">,
  reason: "reset" | "deleted",
  { broadcasts }: Pick<State, "broadcasts">,
): void {
  if (hostId === undefined || status === "ended") return;
  const command: OperatorCommand = { type: "end", sessionId, reason };
  broadcasts.send(operatorTopic, JSON.stringify(command));
}
