/** FAIL-1, IDLE-1 and TURN-6 in one statement: while nobody is heard, a timer is running that will change that. */
import { isMeantToBeSilent } from "./world.ts";
import type { World } from "./world.ts";

export function deadAir(world: World): string | undefined {
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
