/** Every order of events within a small scope: what docs/conversation.md promises holds in each state that can be reached. */
import { packOf } from "@voice/shared/languages/packs";
import { explore } from "@voice/shared/testing/explore";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { agentMoves } from "../../testing/turn-model/agent-moves.ts";
import { callMoves } from "../../testing/turn-model/call-moves.ts";
import {
  begins,
  callerMoves,
  finalises,
  finishes,
  hears,
  sentence,
  stops,
} from "../../testing/turn-model/caller-moves.ts";
import { beginnings, conversationModel } from "../../testing/turn-model/conversation-model.ts";
import type { Scope } from "../../testing/turn-model/conversation-model.ts";
import { languageSettings } from "./language-settings.ts";
import { cascadePolicy, realtimePolicy, transcriptionPolicy } from "./turn-policy.ts";
import { defaultIdleMs, noEndpointing } from "./turn-settings.ts";
import type { TurnSettings } from "./turn-settings.ts";

/** `MODEL_DEPTH=2` looks two events further, in minutes instead of seconds, and says how far it came. */
const further = Number(process.env["MODEL_DEPTH"] ?? 0);

const cascade: TurnSettings = {
  policy: cascadePolicy,
  ...languageSettings(packOf("en")),
  expected: { kind: "nothing" },
  silenceMs: 500,
  silenceTimeoutMs: 2000,
  bargeInEnabled: true,
  bargeInThresholdMs: 200,
  idleMs: defaultIdleMs,
  deadAirMs: 10_000,
  fillerMs: 2000,
};
const realtime: TurnSettings = { ...cascade, ...noEndpointing, fillerMs: 2000, policy: realtimePolicy };
const transcription: TurnSettings = { ...cascade, ...noEndpointing, policy: transcriptionPolicy };

const all = Object.values(beginnings);
const { listens, greets, announces, takesOver } = beginnings;

interface NamedScope extends Scope {
  readonly name: string;
  readonly depth: number;
}

const scopes: readonly NamedScope[] = [
  {
    name: "a caller and an agent who talk",
    settings: cascade,
    beginnings: [listens, announces],
    moves: [...callerMoves.speaks, ...agentMoves.time, ...agentMoves.speaks],
    depth: 5,
  },
  {
    name: "a caller who writes as well, and cannot interrupt",
    settings: { ...cascade, bargeInEnabled: false },
    beginnings: [listens, greets],
    moves: [...callerMoves.speaks, ...callerMoves.writes, ...agentMoves.time, ...agentMoves.speaks],
    depth: 4,
  },
  {
    name: "finals that come late, or never",
    settings: cascade,
    beginnings: [listens, takesOver],
    moves: [
      begins,
      stops,
      hears(sentence),
      finalises(sentence),
      ...callerMoves.late,
      finishes,
      ...agentMoves.time,
      ...agentMoves.speaks,
    ],
    depth: 6,
  },
  {
    name: "replies that fail, and news of replies that are over",
    settings: cascade,
    beginnings: [listens, greets],
    moves: [...callerMoves.speaks, ...agentMoves.time, ...agentMoves.speaks, ...agentMoves.fails, ...agentMoves.late],
    depth: 5,
  },
  {
    name: "what is done with the call, and how it ends",
    settings: cascade,
    beginnings: [listens, takesOver],
    moves: [
      ...callerMoves.speaks,
      ...agentMoves.time,
      ...agentMoves.speaks,
      ...callMoves.effects,
      ...callMoves.operator,
      ...callMoves.endings,
    ],
    depth: 4,
  },
  {
    name: "everything",
    settings: cascade,
    beginnings: all,
    moves: everything(),
    depth: 3,
  },
  {
    name: "everything, with a realtime model",
    settings: realtime,
    beginnings: all,
    moves: [...everything(), ...callMoves.service],
    depth: 3,
  },
  {
    name: "everything that is written down",
    settings: transcription,
    beginnings: [listens],
    moves: [...callerMoves.speaks, ...callerMoves.writes, ...agentMoves.time, ...callMoves.endings],
    depth: 5,
  },
];

function everything(): NamedScope["moves"] {
  return [callerMoves, agentMoves, callMoves].flatMap((moves) =>
    Object.entries(moves).flatMap(([name, some]) => (name === "service" ? [] : some)),
  );
}

/** Far beyond what can be searched whole; `MODEL_RUNS=5000` looks for longer. */
const runs = Number(process.env["MODEL_RUNS"] ?? 40);
const wanderings = scopes.filter(({ name }) => name.startsWith("everything"));

describe("in long conversations", () => {
  it.each(wanderings)("[TURN-11] [BARGE-5] [IDLE-2] [FAIL-1] $name: the same holds", async (scope) => {
    const model = conversationModel(scope);
    const choices = fc.array(fc.nat({ max: 1000 }), { minLength: 20, maxLength: 80 });
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: scope.beginnings.length - 1 }), choices, async (first, choice) => {
        const beginning = model.starts[first];
        const way = [beginning?.words];
        let world = await beginning?.make();
        for (const number of choice) {
          if (world === undefined) break;
          const moves = model.moves(world);
          const move = moves[number % Math.max(1, moves.length)];
          if (move === undefined) break;
          way.push(move.words);
          world = await move.make();
          expect({ way, broken: await model.broken(world) }).toEqual({ way, broken: undefined });
        }
      }),
      { numRuns: runs, seed: 18 },
    );
  });
});

describe("in every order of events", () => {
  it.each(scopes)(
    "[TURN-11] [BARGE-5] [IDLE-2] [FAIL-1] $name: one reply at a time, no final lost, no dead air, and an end",
    async ({ name, depth, ...scope }) => {
      const began = performance.now();
      const { counterexample, ...extent } = await explore(conversationModel(scope), { depth: depth + further });
      if (process.env["MODEL_DEPTH"] !== undefined)
        process.stdout.write(`${name}: ${JSON.stringify(extent)}, ${Math.round(performance.now() - began)} ms\n`);
      expect(counterexample, "the shortest way there").toBeUndefined();
    },
  );
});
