/** A short sound without a file. Quiet beside voices that are listened to. */

const lengthS = 0.18;
const gain = 0.15;

export function playTone(context: AudioContext, frequencyHz: number, delayS = 0): void {
  const startS = context.currentTime + delayS;
  const oscillator = context.createOscillator();
  const volume = context.createGain();
  oscillator.frequency.value = frequencyHz;
  volume.gain.setValueAtTime(gain, startS);
  volume.gain.exponentialRampToValueAtTime(0.001, startS + lengthS);
  oscillator.connect(volume).connect(context.destination);
  oscillator.start(startS);
  oscillator.stop(startS + lengthS);
}
