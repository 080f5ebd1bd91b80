/** What a refresh of the configuration store has reached, and what has to be started again to see it. Pure. */

/** The functions app builds from these when it is composed; everything else it reads with each request. */
const builtIn = /^(CACHE|CATALOG|CLOUD|LOG|MCP|RECORDING|STT|TTS)_/;

/** In words for the operator; undefined while nothing has changed. */
export function changedSettingsNote(changed: readonly string[]): string | undefined {
  if (changed.length === 0) return undefined;
  const stale = changed.filter((name) => builtIn.test(name));
  const everywhere = `Changed since this instance started: ${changed.join(", ")}.`;
  const functions = stale.length === 0 ? "" : ` Restart the functions app for ${stale.join(", ")}.`;
  return `${everywhere}${functions} Restart the streaming hosts for all of them: they read settings at their start only.`;
}
