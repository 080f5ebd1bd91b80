import { callsPerPage } from "../api/calls-api.ts";
import type { CallQuery } from "../api/calls-api.ts";
import { Pager } from "../components/pager.tsx";
import { useStore } from "../use-store.ts";
import { CallRow } from "./call-row.tsx";
import type { CallsSession } from "./calls-session.ts";

interface CallListProps {
  readonly calls: CallsSession;
  readonly query: CallQuery;
  /** This browser's number, if it is a phone. */
  readonly ownNumber: string | undefined;
  readonly isOperator: boolean;
  readonly onPage: (query: CallQuery) => void;
}

export function CallList({ calls: session, query, ownNumber, isOperator, onPage }: CallListProps) {
  const { calls, total, listProblem, isBusy } = useStore(session.store);
  const { page } = query;
  return (
    <>
      {listProblem !== undefined && (
        <p className="banner banner-warning" role="status">
          The list could not be read: {listProblem}
        </p>
      )}
      {calls === undefined && listProblem === undefined && <p className="calls-empty hint">Loading…</p>}
      {calls?.length === 0 && <p className="calls-empty hint">{whyEmpty(query)}</p>}
      <ul className="calls" tabIndex={0} aria-label="Calls, the newest first">
        {calls?.map((call) => (
          <CallRow
            key={call.call_id}
            call={call}
            isBusy={isBusy}
            ownNumber={ownNumber}
            isOperator={isOperator}
            onHangUp={() => void session.hangUp(call.call_id)}
            onTransfer={(number) => void session.transfer(call.session_id, number)}
          />
        ))}
      </ul>
      {total > 0 && (
        <Pager
          what="calls"
          page={page}
          perPage={callsPerPage}
          total={total}
          onPage={(next) => onPage({ ...query, page: next })}
        />
      )}
    </>
  );
}

function whyEmpty({ page, search, ...filter }: CallQuery): string {
  if (search !== undefined)
    return "There is no such call. A number is searched for whole and with its country, such as +12025550123; calls are kept for a week.";
  if (Object.values(filter).some((value) => value !== undefined))
    return "No calls are like that. Choose other days, or all calls; they are kept for a week.";
  return page > 1 ? "There are no calls as old as that." : "No calls yet. Place one, or call the service.";
}
