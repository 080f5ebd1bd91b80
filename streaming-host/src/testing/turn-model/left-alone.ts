/**
 * How a conversation continues when the caller says nothing more. Everybody else does only what they must: the
 * recogniser finishes, a pause and a hold end, and either every reply is heard or none is. In both cases the
 * conversation has to end, and not before the caller's words were answered.
 */
import type { TurnSettings } from "../../session/turn/turn-settings.ts";
import { isHeard, isHeardOut, fails, waits } from "./agent-moves.ts";
import { effectEnds, leavesMessage, musicEnds, personLeaves } from "./call-moves.ts";
import { finalises, goesOn, stops } from "./caller-moves.ts";
import type { NamedMove } from "./caller-moves.ts";
import type { World } from "./world.ts";
import { worldKey } from "./world-key.ts";

/** The longest way to the end is a handful of replies, each with a few timers. */
const maxMoves = 150;
/** Idle, two reprompts and a farewell take under a minute; retries after failures, and fillers, come on top. */
const maxMs = 5 * 60_000;

export type Agent = "audible" | "mute";

const replyMoves: Readonly<Record<Agent, readonly NamedMove[]>> = {
  audible: [isHeard, isHeardOut],
  // The playout detects a track that has begun but brings no more audio (FAIL-3).
  mute: [fails("stalled")],
};

/** Undefined if all is well; otherwise the broken rule, and how it came about. `known`: states known to end well. */
export function brokenWhenLeftAlone(
  world: World,
  agent: Agent,
  settings: TurnSettings,
  known: Set<string>,
): string | undefined {
  const way: string[] = [];
  const keys: string[] = [];
  let now = world;
  while (!now.hasEnded) {
    const key = worldKey(now);
    if (known.has(key)) break;
    keys.push(key);
    const next = nextMove(now, agent, settings);
    const rule = ruleAgainst(now, next?.world, world.nowMs, way.length);
    if (rule !== undefined)
      return `${rule}; nobody interferes (${agent} agent): ${way.join(", ") || "nothing follows"}`;
    if (next === undefined) break;
    way.push(next.words);
    now = next.world;
  }
  for (const key of keys) known.add(key);
  return undefined;
}

interface Made {
  readonly words: string;
  readonly world: World;
}

function ruleAgainst(before: World, after: World | undefined, sinceMs: number, moves: number): string | undefined {
  if (after === undefined) return "[IDLE-2] a conversation in which nothing happens ends";
  if (after.broken !== undefined) return after.broken;
  if (moves > maxMoves || after.nowMs - sinceMs > maxMs) return "[IDLE-2] a conversation without a caller ends";
  return before.hasEnded ? "[END-3] what has ended stays so" : undefined;
}

function nextMove(world: World, agent: Agent, settings: TurnSettings): Made | undefined {
  const [first] = world.utterances;
  const finalOf = first === undefined ? [] : [finalises(first.partial)];
  // For a reply that is not audible, it is not its own report that counts but the timer that waits for it (FAIL-1).
  const ofReply = agent === "mute" && world.reply?.isAudible !== true ? [] : replyMoves[agent];
  const ofMessage = world.isVoicemail && world.reply === undefined ? [leavesMessage] : [];
  for (const { words, apply } of [
    stops,
    ...finalOf,
    goesOn,
    personLeaves,
    musicEnds,
    effectEnds,
    ...ofMessage,
    ...ofReply,
    waits,
  ]) {
    const after = apply(world, settings);
    if (after !== undefined) return { words, world: after };
  }
  return undefined;
}
