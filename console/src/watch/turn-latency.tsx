import { StageLegend } from "../components/stage-legend.tsx";
import type { TurnLatency as Latency } from "../conversation/conversation-view.ts";
import { explainWait } from "../conversation/explain-wait.ts";
import { toWaterfall } from "../conversation/latency-stages.ts";

interface TurnLatencyProps {
  /** Undefined of an agent that went on in a turn of which another one spoke first. */
  readonly latency: Latency | undefined;
  /** Of the slowest turn: bars of all turns have one scale. */
  readonly longestMs: number;
  /** Undefined for those who may not read it. */
  readonly onPrompt: (() => void) | undefined;
}

/** How long one answer took, with every stage, beside the answer. */
export function TurnLatency({ latency, longestMs, onPrompt }: TurnLatencyProps) {
  return (
    <div className="turn-latency">
      {latency === undefined ? <span /> : <Stages latency={latency} longestMs={longestMs} />}
      {onPrompt !== undefined && (
        <button type="button" className="link" onClick={onPrompt}>
          Prompt
        </button>
      )}
    </div>
  );
}

function Stages({ latency, longestMs }: { readonly latency: Latency; readonly longestMs: number }) {
  const { totalMs, isHeard, stages } = toWaterfall(latency.metrics);
  const waited = explainWait(latency.metrics, latency.why, "the caller");
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
