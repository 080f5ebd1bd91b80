/** Wires the page's phone to the browser: its sound, and whether the user has this tab in front of them. */
import { systemClock } from "@voice/shared/platform/clock";
import type { AudioEngine } from "@voice/client-kit/audio/audio-engine";
import type { MicrophoneSource } from "@voice/client-kit/audio/microphone-switch";
import type { SocketSurroundings } from "@voice/client-kit/connection/reconnecting-socket";

import { playTone } from "../tone.ts";
import { PhoneSession } from "./phone-session.ts";
import { soundWhileRinging } from "./ring-sound.ts";

interface PhoneParts
  extends SocketSurroundings, Pick<ConstructorParameters<typeof PhoneSession>[0], "describeSoundProblem"> {
  readonly openEngine: () => Promise<AudioEngine>;
  readonly openMicrophone: MicrophoneSource["openMicrophone"];
}

export function createPhone({ openEngine, openMicrophone, ...parts }: PhoneParts): PhoneSession {
  const phone = new PhoneSession({
    ...parts,
    whenInUse: whenFocused,
    socketUrl: () => new URL("/phone/browser", window.location.href.replace(/^http/, "ws")).href,
    openSound: async () => {
      const engine = await openEngine();
      return { openMicrophone, addVoice: () => engine.addVoice(() => undefined) };
    },
  });
  let context: AudioContext | undefined;
  soundWhileRinging(phone, systemClock, () => {
    // Before the user's first click the browser lets no page sound.
    context ??= new AudioContext();
    playTone(context, lowHz);
    playTone(context, highHz, secondNoteS);
  });
  return phone;
}

const lowHz = 587;
const highHz = 740;
const secondNoteS = 0.2;

function whenFocused(callback: () => void): () => void {
  if (document.hasFocus()) callback();
  const stop = new AbortController();
  window.addEventListener("focus", callback, { signal: stop.signal });
  return () => stop.abort();
}
