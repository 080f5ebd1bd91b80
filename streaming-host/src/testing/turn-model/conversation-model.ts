/** The model of a conversation for exploration: how it may begin, what may happen in it, and what must always hold. */
import type { Model, Move } from "@voice/shared/testing/explore";
import type { TimelessTurnEvent } from "../../session/turn/turn-events.ts";
import type { TurnSettings } from "../../session/turn/turn-settings.ts";
import type { NamedMove } from "./caller-moves.ts";
import { happen } from "./happen.ts";
import { lostByHangingUp } from "./hang-up.ts";
import { brokenWhenLeftAlone } from "./left-alone.ts";
import { isMeantToBeSilent, newWorld } from "./world.ts";
import type { World } from "./world.ts";
import { worldKey } from "./world-key.ts";

export interface Beginning {
  readonly words: string;
  readonly event: Extract<TimelessTurnEvent, { readonly type: "session-started" }>;
}

export const beginnings = {
  listens: { words: "the agent waits for the caller", event: { type: "session-started", firstMove: "listen" } },
  greets: { words: "the agent greets", event: { type: "session-started", firstMove: "greet" } },
  announces: {
    words: "the agent announces a recording, and greets",
    event: { type: "session-started", firstMove: "greet", announces: true },
  },
  announcesAndAnswers: {
    words: "the agent announces a recording, and answers what another host has left unanswered",
    event: { type: "session-started", firstMove: "answer", announces: true },
  },
  takesOver: {
    words: "the agent goes on where another host has left a gap",
    event: { type: "session-started", firstMove: "listen", hasGap: true },
  },
  answersFirst: {
    words: "the agent answers what another host has left unanswered",
    event: { type: "session-started", firstMove: "answer", hasGap: true, gapMs: 2000 },
  },
} as const satisfies Readonly<Record<string, Beginning>>;

export interface Scope {
  readonly settings: TurnSettings;
  readonly beginnings: readonly Beginning[];
  readonly moves: readonly NamedMove[];
}

export function conversationModel({ settings, beginnings: ways, moves }: Scope): Model<World> {
  const endWell = { audible: new Set<string>(), mute: new Set<string>() };
  return {
    starts: ways.map((beginning) => ({ words: beginning.words, make: () => started(beginning, settings) })),
    moves: (world) => movesOf(world, moves, settings),
    key: worldKey,
    broken(world) {
      if (world.broken !== undefined) return world.broken;
      if (world.hasEnded) return brokenAfterEnd(world, moves, settings);
      const lost = lostByHangingUp(world);
      if (lost !== undefined) return lost;
      if (!settings.policy.agentSpeaks) return undefined;
      return (
        deadAir(world) ??
        brokenWhenLeftAlone(world, "audible", settings, endWell.audible) ??
        brokenWhenLeftAlone(world, "mute", settings, endWell.mute)
      );
    },
  };
}

export function started({ event }: Beginning, settings: TurnSettings): World {
  return happen({ ...newWorld, hasGap: event.hasGap === true }, event, settings);
}

/** END-3: in any state, and however late. */
function brokenAfterEnd(world: World, moves: readonly NamedMove[], settings: TurnSettings): string | undefined {
  for (const { words, apply } of moves) {
    const broken = apply(world, settings)?.broken;
    if (broken !== undefined) return `${broken}, when ${words}`;
  }
  return undefined;
}

function movesOf(world: World, moves: readonly NamedMove[], settings: TurnSettings): readonly Move<World>[] {
  if (world.hasEnded) return [];
  const possible: Move<World>[] = [];
  for (const { words, apply } of moves) {
    const after = apply(world, settings);
    if (after !== undefined) possible.push({ words, make: () => after });
  }
  return possible;
}

/** FAIL-1, IDLE-1 and TURN-6 in one statement: while nobody is heard, a timer is running that will change that. */
function deadAir(world: World): string | undefined {
  const { reply, timers, hasEnded, speaksSinceMs } = world;
  if (hasEnded || speaksSinceMs !== undefined) return undefined;
  if (reply === undefined) {
    return isMeantToBeSilent(world) || timers.length > 0 ? undefined : "[IDLE-1] a timer runs while nobody speaks";
  }
  if (!reply.isAudible && !timers.some(({ timer }) => timer === "dead-air"))
    return "[FAIL-1] a timer runs while a reply is not audible";
  if (reply.isHeld && timers.length === 0) return "[BARGE-3] a timer runs while the playout is paused";
  return undefined;
}
