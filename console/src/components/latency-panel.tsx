import type { CSSProperties } from "react";

import type { TurnLatency } from "../conversation/conversation-view.ts";
import { toWaterfall } from "../conversation/latency-stages.ts";
import type { LatencyStage } from "../conversation/latency-stages.ts";
import { explainWait } from "../conversation/explain-wait.ts";
import { displayName } from "../display-name.ts";

interface LatencyPanelProps {
  readonly latencies: readonly TurnLatency[];
  /** How many of the latest turns. */
  readonly limit: number;
  readonly caller: "you" | "the caller";
}

export function LatencyPanel({ latencies, limit, caller }: LatencyPanelProps) {
  const turns = latencies.slice(-limit).map(({ turnId, agent, metrics, why }) => ({
    turnId,
    agent,
    waterfall: toWaterfall(metrics),
    waited: explainWait(metrics, why, caller),
  }));
  const longestMs = Math.max(1, ...turns.map(({ waterfall }) => waterfall.totalMs));
  const latest = turns.at(-1);
  return (
    <section className="panel" aria-labelledby="latency-title">
      <h2 id="latency-title">Time to answer</h2>
      {latest === undefined ? (
        <p className="hint">
          From {caller === "you" ? "your" : "the caller’s"} last word to the agent’s first sound. Shows after the first
          answer.
        </p>
      ) : (
        <ol className="waterfalls">
          {turns.toReversed().map(({ turnId, agent, waterfall, waited }, index) => (
            <li key={turnId}>
              <details open={index === 0 || undefined}>
                <summary>
                  <p>
                    <span>{agent === undefined ? "Agent" : displayName(agent)}</span>
                    <strong>{waterfall.isHeard ? `${Math.round(waterfall.totalMs)} ms` : "not heard"}</strong>
                  </p>
                  <div className="waterfall" role="img" aria-label={describe(waterfall.stages)}>
                    {waterfall.stages.map((stage) => (
                      <span key={stage.key} data-stage={stage.key} style={share(stage, longestMs)} />
                    ))}
                  </div>
                </summary>
                <dl className="legend">
                  {waterfall.stages.map(({ key, label, hint, durationMs }) => (
                    <div key={key} title={hint}>
                      <dt data-stage={key}>{label}</dt>
                      <dd>{Math.round(durationMs)} ms</dd>
                    </div>
                  ))}
                </dl>
                {waited !== undefined && <p className="waited">{waited}</p>}
              </details>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

function share(stage: LatencyStage, longestMs: number): CSSProperties {
  return { width: `${(stage.durationMs / longestMs) * 100}%` };
}

function describe(stages: readonly LatencyStage[]): string {
  return stages.map(({ label, durationMs }) => `${label} ${Math.round(durationMs)} ms`).join(", ");
}
