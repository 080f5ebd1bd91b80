/** Where a session's audio goes when it plays: to the peer, to those who watch the levels, into the recording, and to whoever has to know its echo. */
import { rmsLevel } from "@voice/provider-kit/audio/levels";
import type { Transport } from "../../transports/transport.ts";
import type { LevelMeter } from "./level-meter.ts";
import type { PlayoutSink } from "../playout/playout.ts";
import type { SessionRecorder } from "../recording/session-recorder.ts";

export function createHeardAudio(
  transport: Transport,
  levels: LevelMeter,
  recorder: SessionRecorder,
  onHeard: (frame: Int16Array, playsAtMs: number) => void,
): PlayoutSink {
  return {
    sendAudio(frame, playsAtMs) {
      transport.sendAudio(frame);
      levels.output(rmsLevel(frame));
      recorder.agentAudio(frame, playsAtMs);
      onHeard(frame, playsAtMs);
    },
    endAudio: () => transport.endAudio?.(),
    stopAudio() {
      transport.stopAudio();
      recorder.agentStopped();
    },
  };
}
