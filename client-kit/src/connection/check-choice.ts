/** Whether what was chosen for a conversation exists: a browser does not show its page why a handshake was refused. */
import type { SocketQuery } from "./socket-address.ts";

/** `send` rejects with a `ServiceProblem`. A link may name anything, and a made-up customer expires. */
export function createChoiceCheck(send: (path: string) => Promise<unknown>): (query: SocketQuery) => Promise<void> {
  return async ({ scenario, agent, profile_id: profile, session_id: sessionId }) => {
    const part = (kind: string, name: string): string => `/${kind}/${encodeURIComponent(name)}`;
    // Agents and scenarios may be of a session that was prepared for them.
    const ofSession = sessionId === undefined ? "" : `?session_id=${encodeURIComponent(sessionId)}`;
    const paths = [
      scenario === undefined ? [] : part("scenarios", scenario) + ofSession,
      agent === undefined ? [] : part("agents", agent) + ofSession,
      profile === undefined ? [] : part("profiles", profile),
    ];
    for (const path of paths.flat()) await send(path);
  };
}
