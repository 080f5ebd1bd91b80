import { useState } from "react";

import type { SessionInfo } from "../api/service-api.ts";
import { costInWords } from "../conversation/cost-words.ts";
import { displayName } from "../display-name.ts";
import { formatRoute } from "../route.ts";
import type { WatchState } from "./watch-session.ts";

interface SessionListProps {
  readonly state: Pick<WatchState, "sessions" | "sessionCount" | "listProblem">;
  readonly selected: string | undefined;
  readonly onOlder: () => void;
}

export function SessionList({ state, selected, onOlder }: SessionListProps) {
  const { sessions, sessionCount, listProblem: problem } = state;
  const [wanted, setWanted] = useState("");
  const shown = sessions?.filter((session) => isWanted(session, wanted));
  return (
    <nav className="sessions" aria-label="Conversations">
      <h2>Conversations</h2>
      {problem !== undefined && (
        <p className="banner banner-warning" role="status">
          The list could not be read: {problem}
        </p>
      )}
      {sessions === undefined && problem === undefined && <p className="hint">Loading…</p>}
      {sessions?.length === 0 && (
        <p className="hint">
          None yet. <a href="#talk">Start one</a> in another tab, or call with <code>npm run caller</code>.
        </p>
      )}
      {(sessions?.length ?? 0) > 0 && (
        <label className="search">
          <span className="visually-hidden">Find in the list</span>
          <input
            type="search"
            value={wanted}
            placeholder="Agent, scenario, channel, id…"
            onChange={({ target }) => setWanted(target.value)}
          />
        </label>
      )}
      {sessions !== undefined && sessions.length > 0 && shown?.length === 0 && (
        <p className="hint">None of the {sessions.length} that are listed.</p>
      )}
      <ul>
        {shown?.map((session) => (
          <li key={session.session_id}>
            <a
              href={formatRoute({ page: "watch", sessionId: session.session_id })}
              aria-current={session.session_id === selected ? "true" : undefined}
            >
              <span className={`dot dot-${session.status ?? "active"}`} aria-hidden="true" />
              <span>
                <strong>{displayName(session.active_agent)}</strong>
                <span className="hint">
                  {displayName(session.scenario)} · {session.channel} ·{" "}
                  <time dateTime={session.created_at}>{timeOfDay(session.created_at)}</time>
                  {session.cost && ` · ${costInWords(session.cost)}`}
                  {session.status === "ended" && " · ended"}
                </span>
              </span>
            </a>
          </li>
        ))}
      </ul>
      {sessions !== undefined && sessions.length < sessionCount && (
        <button type="button" className="link" onClick={onOlder}>
          Older conversations ({sessionCount - sessions.length} more)
        </button>
      )}
    </nav>
  );
}

/** By anything that the list shows of it, and by its id. */
function isWanted(session: SessionInfo, wanted: string): boolean {
  const { active_agent: agent, scenario, channel, session_id: id, status } = session;
  const words = [displayName(agent), displayName(scenario), channel, id, status ?? ""].join(" ").toLowerCase();
  return words.includes(wanted.trim().toLowerCase());
}

function timeOfDay(iso: string): string {
  return new Date(iso).toLocaleTimeString(undefined, { hour: "2-digit", minute: "2-digit" });
}
