/** Recognises a live update that only moves level meters; these are dropped first when a watcher falls behind. */
const beginning = '{"type":"audio_levels"';

export function isLevelUpdate(text: string): boolean {
  return text.startsWith(beginning);
}
