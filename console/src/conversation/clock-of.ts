/** A place on the line of time: `1:05`, and from an hour on `1:02:05`. */
import { formatDuration } from "../format-duration.ts";

export function clockOf(ms: number): string {
  return formatDuration(Math.max(0, Math.floor(ms / 1000)));
}
