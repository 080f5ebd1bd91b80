import type { TurnLatency } from "../conversation/conversation-view.ts";
import { latencyFigures } from "../conversation/latency-figures.ts";

/** Below this many turns the 95th percentile is the slowest turn. */
const enoughTurns = 20;

/** The median and the 95th percentile of a conversation's answers, by stage. */
interface LatencySummaryProps {
  readonly latencies: readonly TurnLatency[];
  /** Times are counted from this person's last word. */
  readonly whose: "your" | "the caller’s";
}

export function LatencySummary({ latencies, whose }: LatencySummaryProps) {
  const { turnCount, figures } = latencyFigures(latencies);
  return (
    <section className="panel" aria-labelledby="latency-title">
      <h2 id="latency-title">Time to answer</h2>
      {turnCount === 0 ? (
        <p className="hint">From {whose} last word to the agent’s first sound. Shows after the first answer.</p>
      ) : (
        <table className="figures">
          <thead>
            <tr>
              <th scope="col">Stage</th>
              <th scope="col">p50</th>
              <th scope="col">p95</th>
            </tr>
          </thead>
          <tbody>
            {figures.map(({ key, label, p50Ms, p95Ms }) => (
              <tr key={key} data-stage={key}>
                <th scope="row">{label}</th>
                <td>{Math.round(p50Ms).toLocaleString()} ms</td>
                <td>{Math.round(p95Ms).toLocaleString()} ms</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {turnCount > 0 && turnCount < enoughTurns && (
        <p className="hint">
          Of {turnCount === 1 ? "one answer" : `${turnCount} answers`}; of fewer than {enoughTurns}, p95 is the slowest.
        </p>
      )}
    </section>
  );
}
