import { useStore } from "../use-store.ts";
import { CallRow } from "./call-row.tsx";
import type { CallsSession } from "./calls-session.ts";

interface CallListProps {
  readonly calls: CallsSession;
  /** The id of the one that is shown alone. */
  readonly search: string | undefined;
  /** This browser's number, if it is a phone. */
  readonly ownNumber: string | undefined;
  readonly isOperator: boolean;
}

export function CallList({ calls: session, search, ownNumber, isOperator }: CallListProps) {
  const { calls, listProblem, isBusy } = useStore(session.store);
  return (
    <>
      {listProblem !== undefined && (
        <p className="banner banner-warning" role="status">
          The list could not be read: {listProblem}
        </p>
      )}
      {calls === undefined && listProblem === undefined && <p className="calls-empty hint">Loading…</p>}
      {calls?.length === 0 && <p className="calls-empty hint">{whyEmpty(search)}</p>}
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
    </>
  );
}

function whyEmpty(search: string | undefined): string {
  if (search === undefined) return "No calls yet. Place one, or call the service.";
  return "There is no such call. They are remembered for a week.";
}
