/** TOOL-10: what a model reads in place of a result if the call was made by an earlier reply and is still running. */
const states = {
  running:
    "It is still running, and goes on. Call it again with the same arguments to wait for its result; if you call anything else, it is dropped.",
  joined: "Its result is that of the same call, which was made again.",
  dropped: "Nobody waits for it any more.",
} as const;

export type UnfinishedCall = keyof typeof states;

export function unfinishedResult(status: UnfinishedCall): string {
  return JSON.stringify({ status, note: states[status] });
}

const unfinished: ReadonlySet<string> = new Set([
  unfinishedResult("running"),
  unfinishedResult("joined"),
  unfinishedResult("dropped"),
]);

export function isUnfinishedResult(content: string): boolean {
  return unfinished.has(content);
}
