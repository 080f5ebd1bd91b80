/** A cascade session on fakes, all of them on one virtual clock. It notes effects by their kind. */
import { startInMode } from "./both-modes-rig.ts";
import type { BothModesOptions } from "./both-modes-rig.ts";
import { testTurnSettings } from "./cascade-parts.ts";
import { msPerCharacter } from "./fake-synthesiser.ts";

export async function startCascadeRig(options: BothModesOptions = {}) {
  const effects: string[] = [];
  const rig = await startInMode("MEDIA", {
    turnSettings: testTurnSettings,
    ...options,
    onEffect: async ({ type }) => {
      effects.push(type);
      return { ok: true };
    },
  });
  return { ...rig, effects };
}

/** How long the first agent's greeting lasts. */
export const greetingMs = "Hello from desk.".length * msPerCharacter;
