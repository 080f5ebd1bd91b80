/** HIST-9: the place of a live message in the conversation, for those who have been told of what came after it. */
export function beganAt(begunAtMs: number | undefined): { readonly began_at?: string } {
  return begunAtMs === undefined ? {} : { began_at: new Date(begunAtMs).toISOString() };
}
