import { useEffect, useId, useRef } from "react";

import { large, layoutHandoffs, small } from "../catalog/handoff-layout.ts";
import type { HandoffScenario } from "../catalog/handoff-layout.ts";
import { displayName } from "../display-name.ts";

interface HandoffGraphProps {
  readonly scenario: HandoffScenario;
  /** The active agent of the conversation in progress. */
  readonly active: string | undefined;
  /** For a side panel. */
  readonly isSmall?: boolean;
}

/** The average width of a letter, in pixels. */
const letterWidth = { large: 7.6, small: 6.6 } as const;

/** The agents and their handoffs, beginning with the start agent. */
export function HandoffGraph({ scenario, active, isSmall = false }: HandoffGraphProps) {
  const size = isSmall ? small : large;
  const { boxWidth, boxHeight } = size;
  const { width, height, agents, lines } = layoutHandoffs(scenario, size);
  const arrow = useId();
  const frame = useRef<HTMLDivElement>(null);
  const place = agents.find(({ name }) => name === active)?.x;
  useEffect(() => {
    // A picture that is wider than its frame shows where the conversation is.
    if (place !== undefined) frame.current?.scrollTo({ left: place - 24 });
  }, [place]);
  return (
    <div
      ref={frame}
      className={isSmall ? "handoff-graph handoff-graph-small" : "handoff-graph"}
      tabIndex={0}
      role="region"
      aria-label="Handoffs"
    >
      <svg
        width={width}
        height={height}
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={inWords(scenario, active)}
      >
        <defs>
          <marker
            id={arrow}
            viewBox="0 0 8 8"
            refX="7"
            refY="4"
            markerWidth="7"
            markerHeight="7"
            orient="auto-start-reverse"
          >
            <path d="M0 0L8 4L0 8Z" />
          </marker>
        </defs>
        {lines.map(({ from, to, goes, path }) => (
          <path
            key={`${from} ${to}`}
            className="handoff-line"
            d={path}
            markerEnd={goes === "back" ? undefined : `url(#${arrow})`}
            markerStart={goes === "there" ? undefined : `url(#${arrow})`}
          />
        ))}
        {agents.map(({ name, x, y, isReachable }) => (
          <g
            key={name}
            className="handoff-agent"
            data-active={name === active}
            data-start={name === scenario.start_agent}
            data-reachable={isReachable}
          >
            <title>{isReachable ? displayName(name) : `${displayName(name)}: nobody hands over to it`}</title>
            <rect x={x} y={y} width={boxWidth} height={boxHeight} rx="9" />
            <text x={x + boxWidth / 2} y={y + boxHeight / 2} textAnchor="middle" dominantBaseline="central">
              {shortened(displayName(name), boxWidth / letterWidth[isSmall ? "small" : "large"])}
            </text>
          </g>
        ))}
      </svg>
    </div>
  );
}

function inWords({ start_agent: start, handoffs }: HandoffScenario, active: string | undefined): string {
  const hands = handoffs.map(({ from, to }) => `${displayName(from)} to ${displayName(to)}`).join(", ");
  const place = active === undefined ? "" : ` The conversation is with ${displayName(active)} now.`;
  return `${displayName(start)} begins. ${hands === "" ? "Nobody hands over." : `Handoffs: ${hands}.`}${place}`;
}

function shortened(name: string, maxCharacters: number): string {
  return name.length <= maxCharacters ? name : `${name.slice(0, Math.floor(maxCharacters) - 1)}…`;
}
