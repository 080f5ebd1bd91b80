import type { AgentInfo } from "../api/service-api.ts";
import type { CatalogState } from "../catalog/catalog-session.ts";
import { AgentPanel } from "../components/agent-panel.tsx";
import { Keypad } from "../components/keypad.tsx";
import { LatencySummary } from "../components/latency-summary.tsx";
import type { Console } from "../create-console.ts";
import { useStore } from "../use-store.ts";
import { ScenarioPicker } from "./scenario-picker.tsx";
import { SoundPanel } from "./sound-panel.tsx";
import type { ConversationChoice } from "./conversation-choice.ts";
import { ChoicePanel } from "./choice-panel.tsx";

interface TalkSideProps {
  readonly console: Pick<Console, "talk" | "soundSettings" | "customers">;
  readonly catalog: CatalogState;
  readonly agents: readonly AgentInfo[];
  readonly activeAgent: string | undefined;
  readonly onChange: (change: Partial<ConversationChoice>) => void;
}

/** Beside the conversation: its agents, its mode, and how long its answers take. */
export function TalkSide({ console, catalog, agents, activeAgent, onChange }: TalkSideProps) {
  const { talk } = console;
  const { view, connection, choice } = useStore(talk.store);
  const isOpen = connection.kind === "open";
  const isLoading = catalog.agents.length === 0 && catalog.problem === undefined;
  // Panels that grow would move those below them.
  if (isLoading)
    return (
      <aside className="side" aria-label="Details">
        <p className="panel hint" role="status">
          Loading…
        </p>
      </aside>
    );
  return (
    <aside className="side" aria-label="Details">
      <AgentPanel
        agents={agents}
        emptyText="Not known while the service does not answer."
        activeAgent={activeAgent}
        agentState={isOpen ? view.agentState : undefined}
        action={
          <ScenarioPicker
            scenarios={catalog.scenarios}
            selected={view.session?.scenario ?? choice.scenario ?? catalog.defaultScenario}
            onSelect={(name) => onChange({ scenario: name, agent: undefined })}
          />
        }
      />
      <ChoicePanel choice={choice} customers={console.customers} onChange={onChange} />
      <SoundPanel settings={console.soundSettings} onMicrophoneChanged={() => void talk.changeMicrophone()} />
      <Keypad isEnabled={isOpen} onPress={(key) => talk.press(key)} />
      <LatencySummary latencies={view.latencies} whose="your" />
    </aside>
  );
}
