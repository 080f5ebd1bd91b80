import type { ReactNode } from "react";

import type { TurnLatency as Latency } from "../conversation/conversation-view.ts";
import { explainWait } from "../conversation/explain-wait.ts";
import { toWaterfall } from "../conversation/latency-stages.ts";
import type { LatencyStage } from "../conversation/latency-stages.ts";

interface TurnLatencyProps {
  /** Undefined of an agent that went on in a turn of which another one spoke first. */
  readonly latency: Latency | undefined;
  /** The latency of the slowest turn: the bars of all turns have one scale. */
  readonly longestMs: number;
  /** Undefined for those who may not read it. */
  readonly onPrompt?: (() => void) | undefined;
  /** The person who waited for the answer. */
  readonly listener: "you" | "the caller";
}

/** How long one answer took, with every stage, beside the answer. */
export function TurnLatency({ latency, longestMs, onPrompt, listener }: TurnLatencyProps) {
  return (
    <div className="turn-latency">
      {latency === undefined ? <span /> : <Stages latency={latency} longestMs={longestMs} listener={listener} />}
      {onPrompt !== undefined && (
        <button type="button" className="link" onClick={onPrompt}>
          Prompt
        </button>
      )}
    </div>
  );
}

type StagesProps = Pick<TurnLatencyProps, "longestMs" | "listener"> & { readonly latency: Latency };

function Stages({ latency, longestMs, listener }: StagesProps) {
  const { totalMs, isHeard, stages } = toWaterfall(latency.metrics);
  const waited = explainWait(latency.metrics, latency.why, listener);
  const { input_tokens: read, output_tokens: written } = latency.metrics;
  return (
    <details>
      <summary aria-label={`Answered in ${Math.round(totalMs)} ms: stages`}>
        <strong>{isHeard ? `${Math.round(totalMs)} ms` : "not heard"}</strong>
        <span className="waterfall" aria-hidden="true">
          {stages.map(({ key, label, durationMs }) => (
            <span
              key={key}
              data-stage={key}
              style={{ width: `${(durationMs / longestMs) * 100}%` }}
              title={`${label}: ${Math.round(durationMs)} ms`}
            />
          ))}
        </span>
      </summary>
      <StageLegend stages={stages}>
        {read !== undefined && (
          <div>
            <dt>Tokens</dt>
            <dd>
              {read.toLocaleString()} in, {(written ?? 0).toLocaleString()} out
            </dd>
          </div>
        )}
      </StageLegend>
      {waited !== undefined && <p className="hint">{waited}</p>}
    </details>
  );
}

interface StageLegendProps {
  readonly stages: readonly LatencyStage[];
  /** What else is known of the answer. */
  readonly children?: ReactNode;
}

/** How long each stage of an answer took, with the colour that it has in the bar. */
function StageLegend({ stages, children }: StageLegendProps) {
  return (
    <dl className="legend">
      {stages.map(({ key, label, hint, durationMs }) => (
        <div key={key} title={hint}>
          <dt data-stage={key}>{label}</dt>
          <dd>{Math.round(durationMs)} ms</dd>
        </div>
      ))}
      {children}
    </dl>
  );
}
