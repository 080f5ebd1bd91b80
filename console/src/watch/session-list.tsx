import type { SessionInfo, SessionQuery } from "../api/service-api.ts";
import { sessionsPerPage } from "../api/service-api.ts";
import { Pager } from "../components/pager.tsx";
import { costInWords } from "../conversation/cost-words.ts";
import { displayName } from "../display-name.ts";
import { momentInWords } from "../moment-in-words.ts";
import { formatRoute } from "../route.ts";
import { SessionFilter } from "./session-filter.tsx";
import { briefId, failuresInWords, howLong, standingOf, whereFrom, whoIsIt } from "./session-words.ts";
import type { WatchState } from "./watch-session.ts";

interface SessionListProps {
  readonly state: Pick<WatchState, "query" | "sessions" | "sessionCount" | "listProblem">;
  readonly selected: string | undefined;
  readonly onQuery: (query: SessionQuery) => void;
}

export function SessionList({ state, selected, onQuery }: SessionListProps) {
  const { query, sessions, sessionCount: total, listProblem: problem } = state;
  return (
    <nav className="sessions" aria-label="Conversations">
      <h2>Conversations</h2>
      <SessionFilter query={query} onChange={onQuery} />
      {problem !== undefined && (
        <p className="banner banner-warning" role="status">
          The list could not be read: {problem} Trying again.
        </p>
      )}
      {sessions === undefined && problem === undefined && <p className="hint">Loading…</p>}
      {sessions?.length === 0 && <WhyEmpty query={query} />}
      <ul>
        {sessions?.map((session) => (
          <SessionRow
            key={session.session_id}
            session={session}
            query={query}
            isSelected={session.session_id === selected}
          />
        ))}
      </ul>
      {total > sessionsPerPage && (
        <Pager
          what="conversations"
          page={query.page}
          perPage={sessionsPerPage}
          total={total}
          onPage={(page) => onQuery({ ...query, page })}
        />
      )}
    </nav>
  );
}

interface SessionRowProps {
  readonly session: SessionInfo;
  readonly query: SessionQuery;
  readonly isSelected: boolean;
}

function SessionRow({ session, query, isSelected }: SessionRowProps) {
  const { session_id: id, status, active_agent: agent, scenario, created_at: createdAt, cost } = session;
  const from = whereFrom(session);
  const brief = briefId(session);
  const failures = failuresInWords(session.failure_count);
  return (
    <li>
      <a
        href={formatRoute({ page: "conversations", sessionId: id, query })}
        aria-current={isSelected ? "true" : undefined}
        title={id}
      >
        <span className={`dot dot-${status ?? "active"}`} aria-hidden="true" />
        <span>
          <strong>
            <span className="session-who">
              {whoIsIt(session)} {brief !== "" && <code>{brief}</code>}
            </span>
            <span className="session-length">
              <span className="visually-hidden">lasts </span>
              {howLong(session, Date.now())}
            </span>
          </strong>
          <span className="hint">
            {displayName(agent)} · {displayName(scenario)}
            {from !== "" && ` · ${from}`}
          </span>
          <span className="hint">
            <time dateTime={createdAt}>{momentInWords(createdAt)}</time> · {standingOf(session)}
            {cost && ` · ${costInWords(cost)}`}
          </span>
          {failures !== "" && <span className="session-failures">{failures}</span>}
        </span>
      </a>
    </li>
  );
}

function WhyEmpty({ query: { page, search, ...filter } }: { readonly query: SessionQuery }) {
  if (search !== undefined)
    return (
      <p className="hint">
        None has this id, or a call with this number. A number is searched for whole, such as +12025550123;
        conversations are kept for a day.
      </p>
    );
  if (page > 1 || Object.values(filter).some((value) => value !== undefined))
    return <p className="hint">None are like that. They are kept for a day after the last word.</p>;
  return (
    <p className="hint">
      None yet. <a href="#talk">Start one</a> in another tab, or call with <code>npm run caller{callerOption()}</code>.
    </p>
  );
}

/** The command's own default is the port of `npm start`. */
function callerOption(): string {
  const { origin } = window.location;
  return origin === "http://localhost:8080" ? "" : ` -- --url ${origin}`;
}
