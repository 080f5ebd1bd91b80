import type { FailedCall } from "../api/service-api.ts";

interface FailedCallsProps {
  readonly calls: readonly FailedCall[];
}

/** Calls that nobody ever talked on, which is why they are in no list of conversations. */
export function FailedCalls({ calls }: FailedCallsProps) {
  if (calls.length === 0) return null;
  return (
    <section aria-label="Calls that failed">
      <h2>Calls that failed</h2>
      <ul>
        {calls.map(({ call_id: id, failure, events }) => (
          <li key={id} className="hint">
            <strong>{failure?.reason ?? "unknown"}</strong> ({failure?.code ?? "call_failed"})
            {events.slice(-1).map(({ timestamp }) => (
              <time key={timestamp} dateTime={timestamp}>
                {" "}
                · {new Date(timestamp).toLocaleTimeString(undefined, { hour: "2-digit", minute: "2-digit" })}
              </time>
            ))}
          </li>
        ))}
      </ul>
    </section>
  );
}
