/**
 * Five pieces such as a line on hold plays, composed and synthesised here: nobody speaks in them, and a detector of speech should hear
 * nobody. They are harder than a sine: partials, vibrato, resonances like those of a mouth, beats of a drum.
 */
import { whiteNoise } from "@voice/provider-kit/audio/white-noise";

const musicRateHz = 16_000;

interface Note {
  readonly startS: number;
  readonly lengthS: number;
  readonly hz: number;
}

/** What a note sounds like `atS` seconds after it began. What does not change while it sounds is made with the note. */
type Instrument = (note: Note) => (atS: number) => number;

const tau = 2 * Math.PI;

/** MIDI's numbering: 69 is 440 Hz. */
const hzOf = (key: number): number => 440 * 2 ** ((key - 69) / 12);

/** Something for each partial of a note, up to the telephone's upper limit and a little more. */
const forPartials = (hz: number, valueOf: (partial: number, hz: number) => number): Float64Array =>
  Float64Array.from({ length: Math.ceil(6000 / hz) - 1 }, (_, at) => valueOf(at + 1, (at + 1) * hz));

/**
 * The sum of partials, each with its own loudness. The sine of each follows from those of the two before it:
 * sin(n·x) = 2·cos(x)·sin((n - 1)·x) - sin((n - 2)·x).
 */
function partials(hz: number, atS: number, loudness: Float64Array): number {
  const twiceCosine = 2 * Math.cos(tau * hz * atS);
  let before = 0;
  let sine = Math.sin(tau * hz * atS);
  let sum = 0;
  for (const loud of loudness) {
    sum += loud * sine;
    [before, sine] = [sine, twiceCosine * sine - before];
  }
  return sum;
}

/** Where a partial has lost so much, neither it nor a higher one changes a sample of 16 bits. */
const inaudible = 20;

/** The same of partials that fade, the higher the sooner: each loses a factor of e in `1 / rates[partial]` seconds. */
function fadingPartials(hz: number, atS: number, loudness: Float64Array, rates: Float64Array): number {
  const twiceCosine = 2 * Math.cos(tau * hz * atS);
  let before = 0;
  let sine = Math.sin(tau * hz * atS);
  let sum = 0;
  for (let at = 0; at < loudness.length; at++) {
    const lost = atS * (rates[at] ?? 0);
    if (lost > inaudible) break;
    sum += (loudness[at] ?? 0) * Math.exp(-lost) * sine;
    [before, sine] = [sine, twiceCosine * sine - before];
  }
  return sum;
}

const piano: Instrument = ({ hz }) => {
  const loudness = forPartials(hz, (partial) => 1 / partial ** 1.3);
  const rates = forPartials(hz, (partial) => 1.2 + 0.6 * partial);
  return (atS) => Math.min(1, atS * 200) * fadingPartials(hz, atS, loudness, rates);
};

const strings: Instrument = ({ hz, lengthS }) => {
  const loudness = forPartials(hz, (partial) => 1 / partial);
  return (atS) => {
    const swell = Math.min(1, atS / 0.25) * Math.min(1, (lengthS - atS) / 0.25);
    const bent = atS + (0.006 * Math.sin(tau * 5.5 * atS)) / (tau * 5.5);
    return swell * partials(hz, bent, loudness);
  };
};

/** Two resonances, as of a mouth that says "ah", make it the instrument nearest to a voice. */
const saxophone: Instrument = ({ hz, lengthS }) => {
  const resonance = (at: number, centre: number, width: number): number => 1 / (1 + ((at - centre) / width) ** 2);
  const loudness = forPartials(
    hz,
    (partial, at) => (0.2 + resonance(at, 650, 150) + 0.7 * resonance(at, 1250, 200)) / partial ** 0.7,
  );
  return (atS) => {
    const breath = Math.min(1, atS / 0.04) * Math.min(1, (lengthS - atS) / 0.06);
    const bent = atS + (0.008 * Math.sin(tau * 5 * atS)) / (tau * 5);
    return breath * partials(hz, bent, loudness);
  };
};

/** A plucked string loses its high partials first. */
const guitar: Instrument = ({ hz }) => {
  const loudness = forPartials(hz, (partial) => 1 / partial ** 0.8);
  const rates = forPartials(hz, (partial) => 1 + 0.25 * partial ** 1.5);
  return (atS) => Math.min(1, atS * 500) * fadingPartials(hz, atS, loudness, rates);
};

const bass: Instrument = ({ hz }) => {
  const loudness = forPartials(hz, (partial) => 1 / partial ** 2);
  return (atS) => Math.exp(-atS * 3) * partials(hz, atS, loudness);
};

const drum: Instrument = () => (atS) => Math.exp(-atS * 25) * Math.sin(tau * (60 + 80 * Math.exp(-atS * 30)) * atS) * 3;

const cymbal: Instrument =
  ({ startS }) =>
  (atS) =>
    Math.exp(-atS * 40) * whiteNoise(Math.round((startS + atS) * musicRateHz));

const chords = [
  [48, 60, 64, 67],
  [45, 57, 60, 64],
  [41, 57, 60, 65],
  [43, 59, 62, 67],
];
const chordS = 2;

/** The notes of every chord, one after the other, `eachS` apart. */
function arpeggio(seconds: number, eachS: number, lengthS: number): readonly Note[] {
  return Array.from({ length: Math.floor(seconds / eachS) }, (_, at) => {
    const startS = at * eachS;
    const keys = chords[Math.floor(startS / chordS) % chords.length] ?? [];
    return { startS, lengthS, hz: hzOf(keys[[0, 2, 1, 3, 2, 1][at % 6] ?? 0] ?? 60) };
  });
}

function held(seconds: number): readonly Note[] {
  return Array.from({ length: Math.ceil(seconds / chordS) }, (_, at) =>
    (chords[at % chords.length] ?? []).map((key) => ({ startS: at * chordS, lengthS: chordS, hz: hzOf(key) })),
  ).flat();
}

function beats(seconds: number, eachS: number): readonly Note[] {
  return Array.from({ length: Math.floor(seconds / eachS) }, (_, at) => ({
    startS: at * eachS,
    lengthS: 0.4,
    hz: hzOf(36),
  }));
}

/** Steps of a tune, in seconds of length and half tones above A3. */
const tune: readonly (readonly [lengthS: number, halfTones: number])[] = [
  [0.4, 3],
  [0.2, 5],
  [0.6, 7],
  [0.3, 10],
  [0.3, 7],
  [0.8, 5],
  [0.4, 3],
  [0.2, 0],
  [0.9, 3],
];

function melody(seconds: number): readonly Note[] {
  const notes: Note[] = [];
  for (let at = 0, startS = 0; startS < seconds; at++) {
    const [lengthS, halfTones] = tune[at % tune.length] ?? [1, 0];
    notes.push({ startS, lengthS, hz: hzOf(57 + halfTones) });
    startS += lengthS;
  }
  return notes;
}

type Part = readonly [instrument: Instrument, loudness: number, notes: (seconds: number) => readonly Note[]];

const pieces: Readonly<Record<string, readonly Part[]>> = {
  piano: [[piano, 1, (seconds) => arpeggio(seconds, 0.25, 1.5)]],
  strings: [[strings, 1, held]],
  saxophone: [
    [saxophone, 1, melody],
    [bass, 1, (seconds) => arpeggio(seconds, 0.5, 0.5)],
  ],
  guitar: [[guitar, 1, (seconds) => arpeggio(seconds, 0.2, 1.2)]],
  band: [
    [saxophone, 0.6, melody],
    [strings, 0.2, held],
    [drum, 0.5, (seconds) => beats(seconds, 0.5)],
    [cymbal, 0.4, (seconds) => beats(seconds, 0.25)],
  ],
};

export const pieceNames: readonly string[] = Object.keys(pieces);

/** -20 dBFS on the average, as loud as somebody who speaks. */
const loudness = 3277;

export function holdMusic(name: string, seconds: number): Int16Array {
  const sum = new Float64Array(seconds * musicRateHz);
  for (const [instrument, level, notesOf] of pieces[name] ?? []) {
    for (const note of notesOf(seconds)) {
      const start = Math.round(note.startS * musicRateHz);
      const end = Math.min(sum.length, start + Math.round(note.lengthS * musicRateHz));
      const levelAt = instrument(note);
      for (let at = start; at < end; at++) sum[at] = (sum[at] ?? 0) + level * levelAt((at - start) / musicRateHz);
    }
  }
  const power = sum.reduce((total, sample) => total + sample ** 2, 0) / sum.length;
  const gain = loudness / Math.sqrt(Math.max(power, 1e-9));
  return Int16Array.from(sum, (sample) => Math.max(-32_768, Math.min(32_767, Math.round(sample * gain))));
}
