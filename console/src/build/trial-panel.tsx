import { useState } from "react";
import type { ReactNode } from "react";

import type { CatalogState } from "../catalog/catalog-session.ts";
import { Composer } from "../components/composer.tsx";
import { ConfirmDialog } from "../components/confirm-dialog.tsx";
import { SteadyButton } from "../components/steady-button.tsx";
import { ConnectionNotice } from "../components/connection-notice.tsx";
import { StageStatus } from "../components/stage-status.tsx";
import { Transcript } from "../components/transcript.tsx";
import type { Console } from "../create-console.ts";
import { displayName } from "../display-name.ts";
import { formatRoute } from "../route.ts";
import { useStore } from "../use-store.ts";
import type { BuildSession } from "./build-session.ts";
import { keyOf } from "./part.ts";
import type { Part } from "./part.ts";

interface TrialPanelProps {
  readonly talk: Console["talk"];
  readonly session: BuildSession;
  readonly part: Part;
  readonly catalog: CatalogState;
  /** Below the conversation. */
  readonly children: ReactNode;
}

/** This browser's one conversation, begun with the document that is being viewed. */
export function TrialPanel({ talk, session, part, catalog, children }: TrialPanelProps) {
  const { connection, view } = useStore(talk.store);
  const { isBusy, trial } = useStore(session.store);
  const [asksToEnd, setAsksToEnd] = useState(false);
  const inScenarios = catalog.scenarios.filter(({ agents }) => agents.includes(part.name));
  const [chosenScenario, setChosenScenario] = useState<string>();
  const scenario = inScenarios.find(({ name }) => name === chosenScenario) ?? inScenarios[0];
  /** Only a scenario's document has this list. */
  const agentsOfScenario: unknown = part.document["agents"];
  const changed = session.changed("agent").map(({ name }) => name);
  const isChanged =
    part.isChanged || (Array.isArray(agentsOfScenario) && changed.some((name) => agentsOfScenario.includes(name)));
  const isLive = connection.kind !== "idle" && connection.kind !== "closed";
  const scenarioOf = part.kind === "agent" ? scenario : undefined;
  const version = session.versionOf(part, scenarioOf);
  const isTrialOfPart = trial?.part === keyOf(part) && trial.sessionId === view.session?.session_id;
  const isOutdated = isTrialOfPart && trial.version !== version;
  const begin = async (): Promise<void> => {
    setAsksToEnd(false);
    const tried = await session.tryOut(part, scenarioOf);
    if (tried === undefined) return;
    session.beginTrial(part, version);
    talk.change(tried);
    const stop = talk.store.subscribe(() => {
      const id = talk.store.get().view.session?.session_id;
      if (id === undefined) return;
      stop();
      session.bindTrial(id);
    });
    await talk.startTalking();
  };
  return (
    <aside className="side trial" aria-label="Try it">
      <section className="panel">
        <h2>Try it</h2>
        {part.kind === "agent" && inScenarios.length > 1 && (
          <label className="picker">
            <span>In</span>
            <select value={scenario?.name} onChange={({ target }) => setChosenScenario(target.value)}>
              {inScenarios.map(({ name }) => (
                <option key={name} value={name}>
                  {displayName(name)}
                </option>
              ))}
            </select>
          </label>
        )}
        <p className="hint">
          {isChanged ? "With your changes, for you alone." : "Unchanged."} By microphone, or by typing.
        </p>
        <SteadyButton
          className="pill-button pill-primary"
          isOff={isBusy}
          onClick={() => (talk.wouldEndConversation ? setAsksToEnd(true) : void begin())}
        >
          {isLive && isTrialOfPart ? "Begin again" : "Talk with it"}
        </SteadyButton>
        <TrialNotes agent={view.agent} isOutdated={isOutdated} isOtherConversation={isLive && !isTrialOfPart} />
      </section>
      {isTrialOfPart && <TrialConversation talk={talk} isLive={isLive} />}
      {children}
      {asksToEnd && (
        <ConfirmDialog
          title="End this conversation?"
          text="What you try begins another, and this one ends."
          confirm="End it and start another"
          onConfirm={() => void begin()}
          onCancel={() => setAsksToEnd(false)}
        />
      )}
    </aside>
  );
}

interface TrialNotesProps {
  readonly agent: string | undefined;
  readonly isOutdated: boolean;
  /** The page's conversation is about something else. */
  readonly isOtherConversation: boolean;
}

function TrialNotes({ agent, isOutdated, isOtherConversation }: TrialNotesProps) {
  return (
    <>
      {isOutdated && (
        <p className="banner banner-warning" role="status">
          Out of date: what you try below is from before your latest change.
        </p>
      )}
      {isOtherConversation && (
        <p className="hint" role="status">
          Your conversation with {displayName(agent ?? "an agent")} continues, and is no trial of this.{" "}
          <a href={formatRoute({ page: "talk" })}>Show it</a>
        </p>
      )}
    </>
  );
}

interface TrialConversationProps {
  readonly talk: Console["talk"];
  readonly isLive: boolean;
}

function TrialConversation({ talk, isLive }: TrialConversationProps) {
  const { view, connection, microphone, soundProblem, problem } = useStore(talk.store);
  if (!isLive && view.entries.length === 0) return null;
  return (
    <section className="stage trial-stage" aria-label="Conversation">
      <ConnectionNotice connection={connection} onRetry={() => talk.retry()} />
      <StageStatus connection={connection} agent={view.agent} agentState={view.agentState} />
      <Transcript view={view} callerName="You" />
      {[problem, soundProblem].map(
        (sentence) =>
          sentence !== undefined && (
            <p key={sentence} className="banner banner-warning" role="alert">
              {sentence}
            </p>
          ),
      )}
      {isLive && (
        <Composer
          microphone={microphone}
          isLive
          hasBegun
          onSend={(text) => void talk.sendText(text)}
          onStart={() => void talk.startTalking()}
          onMute={() => talk.mute()}
          onEnd={() => talk.end()}
        />
      )}
    </section>
  );
}
