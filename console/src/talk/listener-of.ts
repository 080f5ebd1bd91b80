/** Who hears what is said next: the agent in conversation, or the one that begins the next conversation. */
import type { TalkState } from "./talk-session.ts";

export function listenerOf(
  { connection, view, choice }: Pick<TalkState, "connection" | "view" | "choice">,
  startAgent: string | undefined,
): string | undefined {
  const isOver = connection.kind === "closed" && connection.reason === "ended";
  return (isOver ? undefined : view.agent) ?? choice.agent ?? startAgent;
}
