import type { Waveform } from "./waveform.ts";

const names = ["Caller", "Agent"];
/** As many bars as can be distinguished in a side panel. */
const bars = 180;

interface WaveformViewProps {
  readonly waveform: Waveform;
  readonly atMs: number;
  readonly onPick: (ms: number) => void;
}

/** One line for each channel; a click plays from there. Keyboard users have the audio element and the sentences. */
export function WaveformView({ waveform, atMs, onPick }: WaveformViewProps) {
  const { channels, durationMs } = waveform;
  return (
    <div className="waveforms">
      {channels.map((peaks, index) => (
        <div key={names[index] ?? index}>
          <span className="hint">{channels.length === 1 ? "Caller" : names[index]}</span>
          <svg
            viewBox={`0 0 ${bars} 20`}
            preserveAspectRatio="none"
            role="img"
            aria-label={`How loud the ${(names[index] ?? "channel").toLowerCase()} is over time`}
            onClick={({ currentTarget, clientX }) => {
              const { left, width } = currentTarget.getBoundingClientRect();
              onPick(((clientX - left) / width) * durationMs);
            }}
          >
            <path d={barsOf(peaks)} />
            <line x1={(atMs / durationMs) * bars} x2={(atMs / durationMs) * bars} y1="0" y2="20" />
          </svg>
        </div>
      ))}
    </div>
  );
}

function barsOf(peaks: readonly number[]): string {
  const perBar = peaks.length / bars;
  return Array.from({ length: bars }, (_, bar) => {
    const from = Math.floor(bar * perBar);
    const loudest = Math.max(0, ...peaks.slice(from, Math.max(from + 1, Math.floor((bar + 1) * perBar))));
    // The square root, because most of speech is far below its peaks.
    const half = Math.max(0.25, Math.sqrt(loudest) * 10);
    return `M${bar + 0.5} ${10 - half}V${10 + half}`;
  }).join("");
}
