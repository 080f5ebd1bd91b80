import type { FailedCall, SessionInfo } from "../api/service-api.ts";
import { displayName } from "../display-name.ts";
import { formatRoute } from "../route.ts";
import { FailedCalls } from "./failed-calls.tsx";

interface SessionListProps {
  readonly sessions: readonly SessionInfo[] | undefined;
  readonly failedCalls: readonly FailedCall[];
  readonly problem: string | undefined;
  readonly selected: string | undefined;
}

export function SessionList({ sessions, failedCalls, problem, selected }: SessionListProps) {
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
      <ul>
        {sessions?.map((session) => (
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
                  {session.status === "ended" && " · ended"}
                </span>
              </span>
            </a>
          </li>
        ))}
      </ul>
      <FailedCalls calls={failedCalls} />
    </nav>
  );
}

function timeOfDay(iso: string): string {
  return new Date(iso).toLocaleTimeString(undefined, { hour: "2-digit", minute: "2-digit" });
}
