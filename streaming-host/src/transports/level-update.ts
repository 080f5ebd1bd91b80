/** Whether a live update only moves level meters, which is the first that is left out where there is too much. */
const beginning = '{"type":"audio_levels"';

export function isLevelUpdate(text: string): boolean {
  return text.startsWith(beginning);
}
