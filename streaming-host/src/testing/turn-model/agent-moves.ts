/** What the model, the synthesiser, the playout and the clock may do next, whether in the usual order or not. */
import type { ReplyFailure } from "../../session/turn/turn-events.ts";
import type { NamedMove } from "./caller-moves.ts";
import { happen } from "./happen.ts";
import type { LiveReply, World } from "./world.ts";
import { nextTimer } from "./world.ts";

/** Longer than the time between any two of the waits in the rules, and shorter than most of them. */
const whileMs = 300;

export const waits: NamedMove = {
  words: "time passes until the next timer",
  apply(world, settings) {
    const next = nextTimer(world);
    if (next === undefined) return undefined;
    const timers = world.timers.filter((running) => running !== next);
    const later: World = { ...world, nowMs: Math.max(world.nowMs, next.dueMs), timers };
    return happen(later, { type: "timer", timer: next.timer }, settings);
  },
};

export const aWhilePasses: NamedMove = {
  words: `${whileMs} ms pass`,
  apply(world) {
    const next = nextTimer(world);
    if (next !== undefined && next.dueMs <= world.nowMs + whileMs) return undefined;
    return { ...world, nowMs: world.nowMs + whileMs };
  },
};

export const isHeard: NamedMove = ofReply("the reply begins to be heard", (reply, world, settings) =>
  reply.isAudible || reply.isHeld
    ? undefined
    : happen(
        withReply(world, { ...reply, isAudible: true }),
        { type: "reply-audible", turnId: reply.turnId },
        settings,
      ),
);

export const nearlyEnds: NamedMove = ofReply("half a second of the reply is left", (reply, world) =>
  reply.isAudible && !reply.isNearlyOver ? withReply(world, { ...reply, isNearlyOver: true }) : undefined,
);

export const isHeardOut: NamedMove = ofReply(
  "the reply was heard to its end",
  ({ turnId, isAudible, isHeld }, world, settings) =>
    isAudible && !isHeld
      ? happen({ ...world, reply: undefined, lastTurnId: turnId }, { type: "reply-drained", turnId }, settings)
      : undefined,
);

export const findsWords: NamedMove = ofReply("the model finds its first words", ({ turnId }, world, settings) =>
  happen(world, { type: "reply-written", turnId }, settings),
);

export function fails(failure: ReplyFailure): NamedMove {
  return ofReply(`the reply fails (${failure})`, ({ turnId }, world, settings) =>
    happen(world, { type: "reply-failed", turnId, failure }, settings),
  );
}

export const isStoppedByGuardrail: NamedMove = ofReply(
  "a guardrail stops the reply",
  ({ turnId, kind }, world, settings) =>
    kind === "answer"
      ? happen(world, { type: "reply-stopped", turnId, text: "i cannot say that" }, settings)
      : undefined,
);

/** The maker of a reply may still report about it when it is over. */
const staleNews: readonly NamedMove[] = (
  ["reply-audible", "reply-written", "reply-drained", "reply-lost"] as const
).map((type) =>
  ofLast(`${type} comes for a reply that is over`, (turnId, world, settings) =>
    happen(world, { type, turnId }, settings),
  ),
);
const staleFailure = ofLast("a failure comes of a reply that is over", (turnId, world, settings) =>
  happen(world, { type: "reply-failed", turnId, failure: "model" }, settings),
);
const staleGuardrail = ofLast("a guardrail stops a reply that is over", (turnId, world, settings) =>
  happen(world, { type: "reply-stopped", turnId, text: "i cannot say that" }, settings),
);

type Settings = Parameters<NamedMove["apply"]>[1];

function ofReply(
  words: string,
  apply: (reply: LiveReply, world: World, settings: Settings) => World | undefined,
): NamedMove {
  return { words, apply: (world, settings) => world.reply && apply(world.reply, world, settings) };
}

function ofLast(words: string, apply: (turnId: string, world: World, settings: Settings) => World): NamedMove {
  return {
    words,
    apply: (world, settings) => (world.lastTurnId === undefined ? undefined : apply(world.lastTurnId, world, settings)),
  };
}

function withReply(world: World, reply: LiveReply): World {
  return { ...world, reply };
}

export const agentMoves = {
  time: [waits, aWhilePasses],
  speaks: [isHeard, nearlyEnds, isHeardOut],
  fails: [findsWords, fails("model"), fails("stalled"), isStoppedByGuardrail],
  late: [...staleNews, staleFailure, staleGuardrail],
} as const;
