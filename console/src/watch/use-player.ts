import { useLayoutEffect, useRef, useState } from "react";
import type { RefObject } from "react";

import { useStore } from "../use-store.ts";
import type { RecordingSession, RecordingState } from "./recording-session.ts";

export interface Player {
  readonly state: RecordingState;
  readonly audio: RefObject<HTMLAudioElement | null>;
  readonly atMs: number;
  readonly isPlaying: boolean;
  /** The browser's own player has given up. */
  readonly isBroken: boolean;
  /** Loads the recording first, where it is not loaded yet. */
  readonly playFrom: (ms: number) => void;
  readonly seek: (ms: number) => void;
  readonly toggle: () => void;
  /** For the audio element. */
  readonly on: Pick<React.ComponentProps<"audio">, "onTimeUpdate" | "onPlay" | "onPause" | "onError" | "onLoadedData">;
}

export function usePlayer(sessionId: string, recording: RecordingSession): Player {
  const state = useStore(recording.store);
  const audio = useRef<HTMLAudioElement>(null);
  /** Where to play from as soon as it is loaded. */
  const pending = useRef<number>(undefined);
  const [atMs, setAtMs] = useState(0);
  const [isPlaying, setIsPlaying] = useState(false);
  const [isBroken, setIsBroken] = useState(false);
  // Runs before the element is removed, which would otherwise continue to request an address that no longer exists.
  useLayoutEffect(
    () => () => {
      audio.current?.removeAttribute("src");
      audio.current?.load();
      recording.forget();
    },
    [recording, sessionId],
  );

  const seek = (ms: number): void => {
    setAtMs(ms);
    if (audio.current !== null) audio.current.currentTime = ms / 1000;
  };
  const playFrom = (ms: number): void => {
    seek(ms);
    if (state.kind !== "ready") {
      pending.current = ms;
      if (state.kind !== "loading") void recording.load(sessionId);
      return;
    }
    // The element's error says why it cannot play; a click elsewhere may cancel it before it begins.
    void audio.current?.play().catch(() => undefined);
  };
  return {
    state,
    audio,
    atMs,
    isPlaying,
    isBroken,
    playFrom,
    seek,
    toggle: () => (isPlaying ? audio.current?.pause() : playFrom(atMs)),
    on: {
      onTimeUpdate: ({ currentTarget }) => setAtMs(currentTarget.currentTime * 1000),
      onPlay: () => setIsPlaying(true),
      onPause: () => setIsPlaying(false),
      onError: () => setIsBroken(true),
      onLoadedData: ({ currentTarget }) => {
        const fromMs = pending.current;
        pending.current = undefined;
        if (fromMs === undefined) return;
        currentTarget.currentTime = fromMs / 1000;
        void currentTarget.play().catch(() => undefined);
      },
    },
  };
}
