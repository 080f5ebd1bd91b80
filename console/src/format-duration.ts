/** `65` as `1:05`. */
export function formatDuration(seconds: number): string {
  const rest = String(Math.floor(seconds % 60)).padStart(2, "0");
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}:${rest}`;
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}:${rest}`;
}
