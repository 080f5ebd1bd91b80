import { Pause, Play } from "lucide-react";

import { clockOf } from "../conversation/clock-of.ts";
import { playerProblem } from "./recording-problem.ts";
import type { Player } from "./use-player.ts";

interface PlayerControlsProps {
  readonly player: Player;
  readonly durationMs: number;
  readonly isLive: boolean;
}

const rates = [1, 1.25, 1.5, 2];

/** Play, the place, and the speed. The recording is loaded by the first use, where it was too long to load it unasked. */
export function PlayerControls({ player, durationMs, isLive }: PlayerControlsProps) {
  const { state, audio, atMs, isPlaying, isBroken, seek, toggle, on } = player;
  return (
    <div className="player">
      <button type="button" className="play-button" aria-label={isPlaying ? "Pause" : "Play"} onClick={toggle}>
        {isPlaying ? <Pause className="icon" aria-hidden="true" /> : <Play className="icon" aria-hidden="true" />}
      </button>
      <output className="player-clock">
        {clockOf(atMs)} / {clockOf(durationMs)}
      </output>
      <input
        type="range"
        aria-label="Place in the recording"
        aria-valuetext={clockOf(atMs)}
        min={0}
        max={Math.ceil(durationMs / 1000)}
        step={1}
        value={Math.floor(atMs / 1000)}
        onChange={({ target }) => seek(Number(target.value) * 1000)}
      />
      <label>
        <span className="visually-hidden">Speed</span>
        <select
          defaultValue={1}
          onChange={({ target }) => {
            if (audio.current !== null) audio.current.playbackRate = Number(target.value);
          }}
        >
          {rates.map((rate) => (
            <option key={rate} value={rate}>
              {rate}×
            </option>
          ))}
        </select>
      </label>
      {state.kind === "ready" && <audio ref={audio} src={state.url} {...on} />}
      {state.kind === "loading" && (
        <span role="status" className="hint">
          Loading… {state.progress !== undefined && <progress aria-label="Loaded" value={state.progress} max={1} />}
        </span>
      )}
      {isLive && state.kind !== "loading" && <span className="hint">Plays what is stored so far.</span>}
      {(state.kind === "failed" || isBroken) && (
        <span className="field-problem" role="alert">
          {state.kind === "failed" ? state.problem : playerProblem}
        </span>
      )}
    </div>
  );
}
