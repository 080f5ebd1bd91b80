import type { AgentInfo, ScenarioInfo } from "../api/service-api.ts";
import type { CatalogState } from "../catalog/catalog-session.ts";
import { suggestions } from "../catalog/suggestions.ts";
import { AgentPanel } from "../components/agent-panel.tsx";
import { ConnectionNotice } from "../components/connection-notice.tsx";
import { LatencyPanel } from "../components/latency-panel.tsx";
import { LevelMeter } from "../components/level-meter.tsx";
import { StageStatus } from "../components/stage-status.tsx";
import { Transcript } from "../components/transcript.tsx";
import type { Levels } from "../create-console.ts";
import { useStore } from "../use-store.ts";
import { Composer } from "./composer.tsx";
import { ScenarioPicker } from "./scenario-picker.tsx";
import { Suggestions } from "./suggestions.tsx";
import type { TalkSession } from "./talk-session.ts";
import { Welcome } from "./welcome.tsx";

const latestTurns = 5;

interface TalkPageProps {
  readonly talk: TalkSession;
  readonly catalog: CatalogState;
  readonly levels: Levels;
}

export function TalkPage({ talk, catalog, levels }: TalkPageProps) {
  const { view, connection, microphone, soundProblem, scenario: chosen } = useStore(talk.store);
  const scenarioName = view.session?.scenario ?? chosen ?? catalog.defaultScenario;
  const scenario = catalog.scenarios.find(({ name }) => name === scenarioName);
  const agents = agentsOf(scenario, catalog.agents);
  const activeAgent = view.agent ?? scenario?.start_agent;
  const listener = agents.find(({ name }) => name === activeAgent);
  const tries = suggestions({ agents: catalog.agents, scenario, activeAgent });
  const isLoading = catalog.agents.length === 0 && catalog.problem === undefined;
  const hasBegun = view.entries.length > 0 || view.interim !== "" || connection.kind === "open";
  const send = (text: string): void => void talk.sendText(text);

  return (
    <main className="page page-talk">
      <section className="stage" aria-label="Talk">
        <ConnectionNotice connection={connection} onRetry={() => talk.retry()} />
        {hasBegun && <StageStatus connection={connection} agent={view.agent} agentState={view.agentState} />}
        {hasBegun ? <Transcript view={view} callerName="You" /> : <Welcome onStart={() => void talk.startTalking()} />}
        <Suggestions
          sentences={isLoading ? [] : tries}
          isProminent={!hasBegun}
          phraseCount={catalog.hasLocalRecognition ? listener?.phrase_count : undefined}
          onPick={send}
        />
        {soundProblem !== undefined && (
          <p className="banner banner-warning" role="alert">
            {soundProblem}
          </p>
        )}
        <Composer
          microphone={microphone}
          isLive={connection.kind !== "idle" && connection.kind !== "closed"}
          onSend={send}
          onStart={() => void talk.startTalking()}
          onMute={() => talk.mute()}
          onEnd={() => talk.end()}
        />
      </section>
      <aside className="side" aria-label="Details">
        <AgentPanel
          agents={agents}
          emptyText={isLoading ? "Loading…" : "Not known while the service does not answer."}
          activeAgent={activeAgent}
          agentState={connection.kind === "open" ? view.agentState : undefined}
          action={
            <ScenarioPicker
              scenarios={catalog.scenarios}
              selected={scenarioName}
              onSelect={(name) => talk.chooseScenario(name)}
            />
          }
        >
          <div className="meters">
            <LevelMeter label="You" level={levels.caller} />
            <LevelMeter label="Agent" level={levels.agent} />
          </div>
        </AgentPanel>
        <LatencyPanel latencies={view.latencies} limit={latestTurns} />
      </aside>
    </main>
  );
}

/** In the scenario's order, which begins with whom the caller meets first. */
function agentsOf(scenario: ScenarioInfo | undefined, agents: readonly AgentInfo[]): readonly AgentInfo[] {
  if (scenario === undefined) return agents;
  return scenario.agents.flatMap((name) => agents.filter((agent) => agent.name === name));
}
