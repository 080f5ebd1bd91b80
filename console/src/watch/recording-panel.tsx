import { useEffect, useRef, useState } from "react";

import type { RecordedSentence } from "../api/service-api.ts";
import { displayName } from "../display-name.ts";
import { useStore } from "../use-store.ts";
import type { RecordingSession } from "./recording-session.ts";
import { playerProblem } from "./recording-problem.ts";
import { WaveformView } from "./waveform-view.tsx";

interface RecordingPanelProps {
  readonly sessionId: string;
  readonly recording: RecordingSession;
}

/** What has been recorded so far; while the conversation continues, loading it again gives more. */
export function RecordingPanel({ sessionId, recording }: RecordingPanelProps) {
  const state = useStore(recording.store);
  useEffect(() => () => recording.forget(), [recording, sessionId]);
  const load = (): void => void recording.load(sessionId);
  return (
    <section className="panel" aria-labelledby="recording-title">
      <h2 id="recording-title">Recording</h2>
      {state.kind === "none" && (
        <button type="button" className="pill-button" onClick={load}>
          Load it
        </button>
      )}
      {state.kind === "loading" && (
        <p role="status">
          Loading… {state.progress !== undefined && <progress aria-label="Loaded" value={state.progress} max={1} />}
        </p>
      )}
      {state.kind === "failed" && (
        <p className="field-problem" role="alert">
          {state.problem}{" "}
          <button type="button" className="link" onClick={load}>
            Try again
          </button>
        </p>
      )}
      {state.kind === "ready" && <Player {...state} sessionId={sessionId} />}
    </section>
  );
}

interface PlayerProps {
  readonly sessionId: string;
  readonly url: string;
  readonly waveform: Parameters<typeof WaveformView>[0]["waveform"];
  readonly sentences: readonly RecordedSentence[];
  readonly sentencesProblem: string | undefined;
}

function Player({ sessionId, url, waveform, sentences, sentencesProblem }: PlayerProps) {
  const audio = useRef<HTMLAudioElement>(null);
  const [atMs, setAtMs] = useState(0);
  const [isPlayable, setIsPlayable] = useState(true);
  const playFrom = (ms: number): void => {
    if (audio.current === null) return;
    audio.current.currentTime = ms / 1000;
    // The element's error says why it cannot play; a click elsewhere may cancel it before it begins.
    void audio.current.play().catch(() => undefined);
  };
  return (
    <>
      <WaveformView waveform={waveform} atMs={atMs} onPick={playFrom} />
      <audio
        ref={audio}
        className="recording"
        controls
        src={url}
        onTimeUpdate={({ currentTarget }) => setAtMs(currentTarget.currentTime * 1000)}
        onError={() => setIsPlayable(false)}
      />
      {!isPlayable && (
        <p className="field-problem" role="alert">
          {playerProblem}
        </p>
      )}
      {sentencesProblem !== undefined && (
        <p className="hint" role="status">
          Its sentences could not be read. {sentencesProblem}
        </p>
      )}
      <ol className="sentences">
        {sentences.map(({ speaker, agent, text, start_ms: startMs, end_ms: endMs }) => (
          <li key={`${speaker} ${startMs}`}>
            <button
              type="button"
              aria-current={atMs >= startMs && atMs < endMs ? "true" : undefined}
              onClick={() => playFrom(startMs)}
            >
              <span className="hint">
                {clockOf(startMs)} {speaker === "caller" ? "Caller" : displayName(agent ?? "agent")}
              </span>
              {text}
            </button>
          </li>
        ))}
      </ol>
      <p className="hint">
        The caller is on the left, the agent on the right.{" "}
        <a href={url} download={`${sessionId}.wav`}>
          Download
        </a>
      </p>
    </>
  );
}

/** 1:05. */
function clockOf(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
