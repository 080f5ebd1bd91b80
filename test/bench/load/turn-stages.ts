/**
 * Where a turn's time goes within the server (`--stages`). Moments are taken at the socket and where the service calls the bench's own
 * parts, so the service is measured as it is. From the frame with the last words to the first frame of the answer everything
 * happens in one turn of the event loop, so there is one such turn at a time. An answer that was prepared while the caller
 * spoke has its words and its voice already, so that it only ends the turn.
 */
import { Socket } from "node:net";

export const stages = [
  "reading the frame, detector",
  "end of the turn, its history and request",
  "first words, clause, guardrails",
  "first frame of the voice",
  "writing it",
] as const;

const moments = { heard: 1, asked: 2, spoken: 3, begun: 4, written: 5 } as const;

/** Of every turn: when it was read, and when each of its stages was over. */
const turns: number[][] = [];
let readAtMs = 0;
let turn: number[] | undefined;
let isWatched = false;

export function turnBegins(): void {
  if (isWatched) turn = [readAtMs, performance.now()];
}

/** Only the first time counts. */
export function turnReaches(moment: "asked" | "spoken"): void {
  reach(moment);
}

function reach(moment: keyof typeof moments): void {
  if (turn?.length === moments[moment]) turn.push(performance.now());
}

/** Microseconds of each stage of every turn since the last call. */
export function takeStages(): number[][] {
  return turns.splice(0).map((at) => stages.map((_, stage) => 1000 * ((at[stage + 1] ?? 0) - (at[stage] ?? 0))));
}

/** To be called once, before anything is connected. */
export function watchTurnStages(): void {
  isWatched = true;
  const socket = Socket.prototype;
  const { push, _write: write, _writev: writeMany } = socket;
  socket.push = function (this: Socket, ...args) {
    readAtMs = performance.now();
    return push.apply(this, args);
  };
  socket._write = function (this: Socket, ...args) {
    begin();
    write.apply(this, args);
    finish();
  };
  socket._writev = function (this: Socket, ...args) {
    begin();
    writeMany?.apply(this, args);
    finish();
  };
}

/** The first frame of the answer is about to be written. */
function begin(): void {
  // Of a prepared answer nothing is asked or spoken now: all of it is the end of the turn.
  reach("asked");
  reach("spoken");
  reach("begun");
}

function finish(): void {
  reach("written");
  if (turn?.length !== stages.length + 1) return;
  turns.push(turn);
  turn = undefined;
}
