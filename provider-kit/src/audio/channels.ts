/** Interleaved channels: telephony platforms send caller and agent as two channels of one stream. */

export function mixToMono(interleaved: Int16Array, channels: number): Int16Array {
  if (channels === 1) return interleaved;
  const mono = new Int16Array(Math.floor(interleaved.length / channels));
  for (let frame = 0, source = 0; frame < mono.length; frame++) {
    let sum = 0;
    for (let channel = 0; channel < channels; channel++) sum += interleaved[source++] ?? 0;
    mono[frame] = Math.round(sum / channels);
  }
  return mono;
}

export function pickChannel(interleaved: Int16Array, channels: number, channel: number): Int16Array {
  if (channels === 1) return interleaved;
  const picked = new Int16Array(Math.floor(interleaved.length / channels));
  for (let frame = 0; frame < picked.length; frame++) picked[frame] = interleaved[frame * channels + channel] ?? 0;
  return picked;
}

export function monoToStereo(mono: Int16Array): Int16Array {
  const stereo = new Int16Array(mono.length * 2);
  for (let frame = 0; frame < mono.length; frame++) {
    const sample = mono[frame] ?? 0;
    stereo[frame * 2] = sample;
    stereo[frame * 2 + 1] = sample;
  }
  return stereo;
}
