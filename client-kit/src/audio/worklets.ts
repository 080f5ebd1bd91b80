/** What an audio context loads, as one file. */
import "./capture.worklet.ts";
import "./playback.worklet.ts";
