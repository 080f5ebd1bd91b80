import type { CSSProperties } from "react";

import type { TurnLatency } from "../conversation/conversation-view.ts";
import { toWaterfall } from "../conversation/latency-stages.ts";
import type { LatencyStage } from "../conversation/latency-stages.ts";
import { explainWait } from "../conversation/explain-wait.ts";
import { displayName } from "../display-name.ts";
import { StageLegend } from "./stage-legend.tsx";

interface LatencyPanelProps {
  readonly latencies: readonly TurnLatency[];
  /** How many of the latest turns. */
  readonly limit: number;
}

/** How long the latest answers of the user's own conversation took. */
export function LatencyPanel({ latencies, limit }: LatencyPanelProps) {
  const turns = latencies.slice(-limit).map(({ turnId, agent, metrics, why }) => ({
    turnId,
    agent,
    waterfall: toWaterfall(metrics),
    waited: explainWait(metrics, why, "you"),
  }));
  const longestMs = Math.max(1, ...turns.map(({ waterfall }) => waterfall.totalMs));
  const latest = turns.at(-1);
  return (
    <section className="panel" aria-labelledby="latency-title">
      <h2 id="latency-title">Time to answer</h2>
      {latest === undefined ? (
        <p className="hint">From your last word to the agent’s first sound. Shows after the first answer.</p>
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
                <StageLegend stages={waterfall.stages} />
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
