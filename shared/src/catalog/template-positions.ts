/**
 * The position of a token in a template, for the engine's messages and its list of variables. The engine itself counts
 * from the first character for each variable, so a prompt of 48,000 characters with 4,000 variables blocked the thread
 * for half a second.
 */
import { Token } from "liquidjs";

export function findPositionsQuickly(): void {
  Token.prototype.getPosition = function () {
    return positionIn(this.input, this.begin);
  };
}

/** Tokens are looked up in order, so counting continues from the last one. */
let last: { readonly text: string; readonly lineStarts: readonly number[] } = { text: "", lineStarts: [0] };

/** Row and column, both from 1. */
export function positionIn(text: string, at: number): [number, number] {
  if (last.text !== text) last = { text, lineStarts: lineStartsOf(text) };
  const { lineStarts } = last;
  let from = 0;
  let to = lineStarts.length;
  while (to - from > 1) {
    const middle = (from + to) >> 1;
    if ((lineStarts[middle] ?? 0) <= at) from = middle;
    else to = middle;
  }
  return [from + 1, at - (lineStarts[from] ?? 0) + 1];
}

function lineStartsOf(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}
