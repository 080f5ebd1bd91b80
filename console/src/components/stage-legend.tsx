import type { ReactNode } from "react";

import type { LatencyStage } from "../conversation/latency-stages.ts";

interface StageLegendProps {
  readonly stages: readonly LatencyStage[];
  /** What else is known of the answer. */
  readonly children?: ReactNode;
}

/** How long each stage of an answer took, with the colour that it has in the bar. */
export function StageLegend({ stages, children }: StageLegendProps) {
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
