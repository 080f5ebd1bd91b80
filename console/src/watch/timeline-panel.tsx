/** Both sides of a conversation over time: waveforms, and above them what happened. The player is part of it. */
import type { MouseEvent } from "react";

import type { Entry } from "../conversation/conversation-view.ts";
import { clockOf } from "../conversation/clock-of.ts";
import type { PlacedEntry, Timeline } from "../conversation/timeline.ts";
import { displayName } from "../display-name.ts";
import { levelBucketMs } from "./live-levels.ts";
import type { LevelTrack } from "./live-levels.ts";
import { PlayerControls } from "./player-controls.tsx";
import type { Player } from "./use-player.ts";

interface TimelinePanelProps {
  readonly timeline: Timeline;
  readonly levels: LevelTrack;
  readonly player: Player;
  readonly isRecorded: boolean;
  readonly isLive: boolean;
  /** Shows the entry in the transcript. */
  readonly onPick: (entryId: number) => void;
}

/** As many bars as a wide window shows apart. */
const bars = 600;

export function TimelinePanel({ timeline, levels, player, isRecorded, isLive, onPick }: TimelinePanelProps) {
  const { durationMs } = timeline;
  const placed = [...timeline.entries.values()];
  const share = (ms: number): number => (Math.min(ms, durationMs) / durationMs) * 100;
  const msAt = ({ currentTarget, clientX }: MouseEvent): number => {
    const { left, width } = currentTarget.getBoundingClientRect();
    return Math.min(durationMs, Math.max(0, ((clientX - left) / width) * durationMs));
  };
  const wave = player.state.kind === "ready" ? player.state.waveform : undefined;
  const lanes = [
    { name: "Caller", kind: "user", channel: 0 },
    { name: "Agent", kind: "agent", channel: 1 },
  ] as const;
  return (
    <section className="timeline" aria-label="Timeline">
      <div className="timeline-lanes">
        <span className="timeline-name">Events</span>
        <div className="timeline-marks" aria-hidden="true">
          {placed.flatMap((one) => {
            const mark = markOf(one.entry);
            if (mark === undefined) return [];
            const width = one.endMs > one.startMs ? `${share(one.endMs) - share(one.startMs)}%` : undefined;
            return [
              <span
                key={one.entry.id}
                className={`timeline-mark timeline-mark-${mark.kind}`}
                style={{ left: `${share(one.startMs)}%`, width }}
                title={`${clockOf(one.startMs)} ${mark.title}`}
                onClick={() => onPick(one.entry.id)}
              />,
            ];
          })}
        </div>
        {lanes.map(({ name, kind, channel }) => (
          <Lane
            key={name}
            name={name}
            kind={kind}
            durationMs={durationMs}
            placed={placed.filter(({ entry }) => entry.kind === kind)}
            path={
              wave === undefined
                ? liveBars(levels, channel, timeline)
                : barsOf(wave.channels[channel] ?? [], wave.bucketMs, 0, durationMs)
            }
            atMs={isRecorded && !isLive ? player.atMs : undefined}
            onClick={(event) => {
              const ms = msAt(event);
              if (isRecorded) player.playFrom(ms);
              const said = placed.findLast(({ startMs }) => startMs <= ms);
              if (said !== undefined) onPick(said.entry.id);
            }}
          />
        ))}
        <span />
        <div className="timeline-axis" aria-hidden="true">
          {ticksOf(durationMs).map((ms) => (
            <span key={ms} style={{ left: `${share(ms)}%` }}>
              {clockOf(ms)}
            </span>
          ))}
        </div>
      </div>
      {isRecorded ? (
        <PlayerControls player={player} durationMs={durationMs} isLive={isLive} />
      ) : (
        <p className="hint">{isLive ? "Levels since you opened this page. " : ""}It is not recorded.</p>
      )}
    </section>
  );
}

interface LaneProps {
  readonly name: string;
  readonly kind: "user" | "agent";
  readonly durationMs: number;
  readonly placed: readonly PlacedEntry[];
  readonly path: string;
  readonly atMs: number | undefined;
  readonly onClick: (event: MouseEvent) => void;
}

/** Utterances as blocks, which are there before the sound is loaded, and the loudness over them. */
function Lane({ name, kind, durationMs, placed, path, atMs, onClick }: LaneProps) {
  const x = (ms: number): number => (Math.min(ms, durationMs) / durationMs) * bars;
  return (
    <>
      <span className="timeline-name">{name}</span>
      <svg
        className={`timeline-lane timeline-lane-${kind}`}
        viewBox={`0 0 ${bars} 24`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`When the ${name.toLowerCase()} speaks, and how loud`}
        onClick={onClick}
      >
        {placed.map(({ entry, startMs, endMs }) => (
          <rect key={entry.id} x={x(startMs)} width={Math.max(1, x(endMs) - x(startMs))} y="2" height="20" rx="1" />
        ))}
        <path d={path} />
        {atMs !== undefined && <line x1={x(atMs)} x2={x(atMs)} y1="0" y2="24" />}
      </svg>
    </>
  );
}

function liveBars({ startedAtMs, channels }: LevelTrack, channel: 0 | 1, timeline: Timeline): string {
  if (startedAtMs === undefined) return "";
  return barsOf(channels[channel], levelBucketMs, timeline.placeOf(startedAtMs), timeline.durationMs);
}

function barsOf(peaks: readonly number[], bucketMs: number, fromMs: number, durationMs: number): string {
  const perBar = durationMs / bars;
  return Array.from({ length: bars }, (_, bar) => {
    const first = Math.floor((bar * perBar - fromMs) / bucketMs);
    const last = Math.max(first + 1, Math.floor(((bar + 1) * perBar - fromMs) / bucketMs));
    if (last <= 0 || first >= peaks.length) return "";
    const loudest = Math.max(0, ...peaks.slice(Math.max(0, first), last));
    // The square root, because most of speech is far below its peaks.
    const half = Math.max(0.25, Math.sqrt(loudest) * 11);
    return `M${bar + 0.5} ${12 - half}V${12 + half}`;
  }).join("");
}

interface Mark {
  readonly kind: "tool" | "fault" | "handoff" | "guardrail" | "interrupted" | "notice";
  readonly title: string;
}

function markOf(entry: Entry): Mark | undefined {
  switch (entry.kind) {
    case "tool":
      return entry.status === "error"
        ? { kind: "fault", title: `${entry.name} failed` }
        : { kind: "tool", title: entry.name };
    case "handoff":
      return { kind: "handoff", title: `${displayName(entry.from)} hands over to ${displayName(entry.to)}` };
    case "notice":
      return { kind: entry.tone === "error" ? "fault" : "notice", title: entry.text };
    case "agent":
      if (entry.guardrails !== undefined)
        return { kind: "guardrail", title: `held back by guardrail ${entry.guardrails.join(", ")}` };
      return entry.isInterrupted
        ? { kind: "interrupted", title: `${displayName(entry.agent)} is interrupted` }
        : undefined;
    case "user":
      return undefined;
    default:
      return entry satisfies never;
  }
}

const tickStepsS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1200, 1800, 3600];

/** Six to twelve, at round times. */
function ticksOf(durationMs: number): readonly number[] {
  const stepMs = 1000 * (tickStepsS.find((seconds) => durationMs / 1000 / seconds <= 10) ?? 7200);
  return Array.from({ length: Math.floor(durationMs / stepMs) + 1 }, (_, index) => index * stepMs);
}
