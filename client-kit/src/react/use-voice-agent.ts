/** A conversation in a React component. */
import { useEffect, useState, useSyncExternalStore } from "react";
import { VoiceAgent, type Levels, type VoiceAgentOptions, type VoiceAgentState } from "../voice-agent.ts";

export interface UseVoiceAgent extends VoiceAgentState {
  /** For everything else: `talk()`, `mute()`, `sendText()`, `end()`, `on()`. The same object for as long as the component lives. */
  readonly client: VoiceAgent;
}

/** The options count when the component is first drawn; give it another `key` to begin with others. It hangs up when it goes. */
export function useVoiceAgent(options: VoiceAgentOptions = {}): UseVoiceAgent {
  const [client] = useState(() => new VoiceAgent(options));
  const state = useSyncExternalStore(client.state.subscribe, client.state.get, client.state.get);
  useEffect(() => () => client.leave(), [client]);
  return { ...state, client };
}

/** In a component of its own, because levels change fifty times a second. */
export function useLevels(client: VoiceAgent): Levels {
  return useSyncExternalStore(client.levels.subscribe, client.levels.get, client.levels.get);
}
