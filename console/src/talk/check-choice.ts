/** Whether what was chosen for a conversation exists. */
import type { Http } from "../api/request.ts";
import { queryOf } from "../api/request.ts";
import type { SocketQuery } from "@voice/client-kit/connection/socket-address";

/** A link may name anything, and a made-up customer expires. */
export function createChoiceCheck(http: Http): (query: SocketQuery) => Promise<void> {
  return async ({ scenario, agent, profile_id: profile, session_id: sessionId }) => {
    const part = (kind: string, name: string): string => `/${kind}/${encodeURIComponent(name)}`;
    // Agents and scenarios may be of a session that was prepared for them.
    const ofSession = queryOf({ session_id: sessionId });
    const paths = [
      scenario === undefined ? [] : part("scenarios", scenario) + ofSession,
      agent === undefined ? [] : part("agents", agent) + ofSession,
      profile === undefined ? [] : part("profiles", profile),
    ];
    for (const path of paths.flat()) await http.send(path);
  };
}
