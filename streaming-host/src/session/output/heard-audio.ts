/** Distributes a session's audio as it plays: to the peer, the level meters, the recording, and the echo detection. */
import { rmsLevel } from "@voice/provider-kit/audio/levels";
import type { SessionNotice, Transport } from "../../transports/transport.ts";
import type { LevelMeter } from "./level-meter.ts";
import type { PlayoutSink } from "../playout/playout.ts";
import type { SessionRecorder } from "../recording/session-recorder.ts";

export function createHeardAudio(
  transport: Transport,
  levels: LevelMeter,
  recorder: SessionRecorder,
  notify: (notice: SessionNotice) => void,
  onHeard: (frame: Int16Array, playsAtMs: number) => void,
): PlayoutSink {
  return {
    sendAudio(frame, playsAtMs) {
      levels.output(rmsLevel(frame)); // first, because the report then shares the frame's write
      transport.sendAudio(frame);
      recorder.agentAudio(frame, playsAtMs);
      onHeard(frame, playsAtMs);
    },
    endAudio: () => transport.endAudio?.(),
    stopAudio(turnId, reason) {
      transport.stopAudio();
      notify({ type: "event", payload: { name: "barge_in", turn_id: turnId, reason } });
      recorder.agentStopped();
    },
  };
}
