import { systemClock } from "@voice/shared/platform/clock";
import { useEffect, useRef } from "react";

import { columnCount, followSpeech } from "./speech-trail.ts";
import type { Levels } from "./speech-trail.ts";

const columnWidth = 4;
/** Of one side; the caller's columns go up from the middle and the agent's down. */
const sideHeight = 16;
const width = columnCount * columnWidth;

interface SpeechVisualProps {
  /** "You", or "Caller" when watching. */
  readonly callerName: string;
  readonly levels: Levels;
}

/**
 * Who speaks, and for the last seconds who has spoken over whom. The state beside it says the same in words, so nothing is read out.
 * Updated without React, and without a transition, which would be sixty frames a second.
 */
export function SpeechVisual({ callerName, levels }: SpeechVisualProps) {
  const caller = useRef<SVGPathElement>(null);
  const agent = useRef<SVGPathElement>(null);
  useEffect(() => {
    const still = window.matchMedia("(prefers-reduced-motion: reduce)");
    return followSpeech(levels, systemClock, (trail) => {
      const shown = (side: readonly number[]): readonly number[] => (still.matches ? stillOf(side) : side);
      draw(caller.current, columnsOf(shown(trail.caller), -1));
      draw(agent.current, columnsOf(shown(trail.agent), 1));
    });
  }, [levels]);
  return (
    <div className="speech-visual" aria-hidden="true">
      <span className="speech-visual-caller">{callerName}</span>
      <span className="speech-visual-agent">Agent</span>
      <svg viewBox={`0 ${-sideHeight} ${width} ${2 * sideHeight}`} preserveAspectRatio="xMaxYMid slice">
        <line x1="0" x2={width} y1="0" y2="0" />
        <path className="speech-visual-caller" ref={caller} />
        <path className="speech-visual-agent" ref={agent} />
      </svg>
    </div>
  );
}

/** If the user prefers reduced motion, a side that speaks is drawn as a block that stays until that side has been silent for a second. */
function stillOf(columns: readonly number[]): readonly number[] {
  const isSpeaking = columns.slice(-10).some((height) => height > 0);
  return columns.map(() => (isSpeaking ? 0.5 : 0));
}

function draw(path: SVGPathElement | null, columns: string): void {
  if (path?.getAttribute("d") !== columns) path?.setAttribute("d", columns);
}

function columnsOf(columns: readonly number[], direction: 1 | -1): string {
  return columns
    .map((height, index) =>
      height === 0
        ? ""
        : `M${(index + 0.5) * columnWidth} ${direction * 2}v${direction * Math.max(1, height * (sideHeight - 4))}`,
    )
    .join("");
}
