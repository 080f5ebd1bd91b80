/** Which of a model's speakers an agent's voice is: the one of that name or number, or always the same one that sounds similar. Pure. */
import { pickVoice, soundsLike } from "@voice/provider-kit/voices/sounds-like";

export function chooseSpeaker(speakers: readonly string[], voice: string): number {
  const own = speakers.indexOf(voice.toLowerCase());
  if (own !== -1) return own;
  const sound = soundsLike(voice);
  const similar = sound === undefined ? [] : speakers.filter((name) => isLike(name, sound === "feminine" ? "f" : "m"));
  const [first, ...others] = similar.length > 0 ? similar : speakers;
  return first === undefined ? 0 : speakers.indexOf(pickVoice([first, ...others], voice));
}

/** Kokoro's names begin with a letter for the accent and one for the sex: `af_heart`, `bm_george`. */
function isLike(name: string, sex: "f" | "m"): boolean {
  return name.charAt(1) === sex && name.charAt(2) === "_";
}
