/** The life of a phone call, for `explore`: the rules that hold in every state, and that a call left alone ends. */
import type { Model, Move } from "@voice/shared/testing/explore";
import { callMoves, picksUp, putsOnHold, type CallMove } from "./call-moves.ts";
import { PhoneCall } from "./phone-call.ts";

/** A call cannot be copied, so it is rebuilt by replaying its moves. */
export interface CallState {
  readonly way: readonly CallMove[];
  readonly next: readonly CallMove[];
  readonly key: string;
  readonly broken: string | undefined;
}

export const callLifeModel: Model<CallState> = {
  // From each, because what agents do to a call takes several moves after somebody has picked up.
  starts: [
    { words: "a call is placed", make: () => visit([]) },
    { words: "a call is placed, and somebody has picked up", make: () => visit([picksUp]) },
    { words: "somebody has picked up, and is put on hold", make: () => visit([picksUp, putsOnHold]) },
  ],
  moves: ({ way, next }) =>
    next.map((move): Move<CallState> => ({ words: move.words, make: () => visit([...way, move]) })),
  key: ({ key }) => key,
  broken: ({ way, broken }) => broken ?? endOf(way),
};

async function visit(way: readonly CallMove[]): Promise<CallState> {
  const call = await goThere(way);
  const key = await call.key();
  const next = callMoves.filter(({ isPossible }) => isPossible(call));
  const broken = await call.broken();
  await call.close();
  return { way, next, key, broken };
}

/** Only for new states: with and without the service reporting that the line was dropped. */
async function endOf(way: readonly CallMove[]): Promise<string | undefined> {
  for (const saysSo of [true, false]) {
    const call = await goThere(way);
    const broken = await call.leaveAlone(saysSo);
    await call.close();
    if (broken !== undefined)
      return `${saysSo ? "the service says that the line is dropped" : "nobody says that the line is dropped"}: ${broken}`;
  }
  return undefined;
}

async function goThere(way: readonly CallMove[]): Promise<PhoneCall> {
  const call = await PhoneCall.begin();
  for (const { make } of way) {
    await make(call);
    await call.look();
  }
  return call;
}
