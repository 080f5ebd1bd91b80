import { useState } from "react";

import type { AgentInfo, ScenarioInfo } from "../api/service-api.ts";
import type { CatalogState } from "../catalog/catalog-session.ts";
import { suggestions } from "../catalog/suggestions.ts";
import { Composer } from "../components/composer.tsx";
import { ConfirmDialog } from "../components/confirm-dialog.tsx";
import { ConnectionNotice } from "../components/connection-notice.tsx";
import { SpeechVisual } from "../components/speech-visual.tsx";
import { StageStatus } from "../components/stage-status.tsx";
import type { Console } from "../create-console.ts";
import { formatRoute } from "../route.ts";
import { useStore } from "../use-store.ts";
import type { TalkState } from "./talk-session.ts";
import { listenerOf } from "./listener-of.ts";
import { OwnTranscript } from "./own-transcript.tsx";
import { Suggestions } from "./suggestions.tsx";
import { TalkSide } from "./talk-side.tsx";
import { Welcome } from "./welcome.tsx";
import type { ConversationChoice } from "./conversation-choice.ts";

interface TalkPageProps {
  readonly console: Pick<Console, "talk" | "talkLevels" | "soundSettings" | "customers" | "health">;
  readonly catalog: CatalogState;
}

export function TalkPage({ console, catalog }: TalkPageProps) {
  const { talk } = console;
  const state = useStore(talk.store);
  const { view, connection, microphone, soundProblem, problem, choice } = state;
  const { trouble, isDown } = useStore(console.health.store);
  const [asked, setAsked] = useState<Partial<ConversationChoice>>();
  const scenarioName = view.session?.scenario ?? choice.scenario ?? catalog.defaultScenario;
  const scenario = catalog.scenarios.find(({ name }) => name === scenarioName);
  const agents = agentsOf(scenario, catalog.agents);
  const activeAgent = view.agent ?? choice.agent ?? scenario?.start_agent;
  const listenerName = listenerOf(state, scenario?.start_agent);
  const listener = agents.find(({ name }) => name === listenerName);
  const tries = suggestions({ agents: catalog.agents, scenario, activeAgent: listenerName });
  const isLoading = catalog.agents.length === 0 && catalog.problem === undefined;
  const isLive = connection.kind !== "idle" && connection.kind !== "closed";
  const hasBegun = view.entries.length > 0 || view.interim !== "" || connection.kind === "open";
  const send = (text: string): void => void talk.sendText(text);
  const change = (next: Partial<ConversationChoice>): void => {
    if (talk.wouldEndConversation) setAsked(next);
    else talk.change(next);
  };

  return (
    <main className="page page-talk">
      <section className="stage" aria-label="Talk">
        <ConnectionNotice connection={connection} onRetry={() => talk.retry()} />
        {hasBegun && (
          <div className="talk-head" data-live={isLive}>
            <Standing state={state} />
            <SpeechVisual callerName="You" levels={console.talkLevels} />
          </div>
        )}
        {hasBegun ? (
          <OwnTranscript view={view} />
        ) : (
          <Welcome trouble={isDown ? trouble : undefined} onStart={() => void talk.startTalking()} />
        )}
        <Suggestions
          sentences={isLoading ? [] : tries}
          isProminent={!hasBegun}
          phraseCount={catalog.hasLocalRecognition ? listener?.phrase_count : undefined}
          onPick={send}
        />
        {[problem, soundProblem].map(
          (sentence) =>
            sentence !== undefined && (
              <p key={sentence} className="banner banner-warning" role="alert">
                {sentence}
              </p>
            ),
        )}
        <Composer
          microphone={microphone}
          isLive={isLive}
          hasBegun={hasBegun}
          onSend={send}
          onStart={() => void talk.startTalking()}
          onMute={() => talk.mute()}
          onEnd={() => talk.end()}
        />
      </section>
      <TalkSide console={console} catalog={catalog} agents={agents} activeAgent={activeAgent} onChange={change} />
      {asked !== undefined && (
        <ConfirmDialog
          title="End this conversation?"
          text="What you have chosen is for another conversation, which begins when this one ends."
          confirm="End it and start another"
          onConfirm={() => {
            talk.change(asked);
            setAsked(undefined);
          }}
          onCancel={() => setAsked(undefined)}
        />
      )}
    </main>
  );
}

/** Once it is over, the user's own conversation has a page, too. */
function Standing({ state: { connection, view } }: { readonly state: TalkState }) {
  const sessionId = view.session?.session_id;
  const overHref = sessionId === undefined ? undefined : formatRoute({ page: "conversations", sessionId });
  return <StageStatus connection={connection} agent={view.agent} agentState={view.agentState} overHref={overHref} />;
}

/** In the scenario's order, which begins with its start agent. */
function agentsOf(scenario: ScenarioInfo | undefined, agents: readonly AgentInfo[]): readonly AgentInfo[] {
  if (scenario === undefined) return agents;
  return scenario.agents.flatMap((name) => agents.filter((agent) => agent.name === name));
}
