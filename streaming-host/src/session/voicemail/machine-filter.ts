/** VM-2, where the service itself hears turns and answers them: what a machine says is kept from the session. */
import type { RealtimeEvent } from "../../providers/ports/realtime-model.ts";

export interface MachineFilter {
  turnOn(): void;
  /** True for what the session must not hear of. `isEnding`: the next response is our own. */
  drops(event: RealtimeEvent, isEnding: boolean): boolean;
}

export function createMachineFilter(cancelResponse: () => void): MachineFilter {
  let isOn = false;
  return {
    turnOn() {
      isOn = true;
    },
    drops({ type }, isEnding) {
      if (!isOn) return false;
      if (type === "speech-started" || type === "speech-stopped" || type === "user-transcript") return true;
      if (type !== "response-started" || isEnding) return false;
      cancelResponse();
      return true;
    },
  };
}
