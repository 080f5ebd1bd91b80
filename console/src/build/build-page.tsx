/** Loaded when it is opened, together with the code that writes a catalog's files. */
import { useEffect, useState } from "react";

import type { CatalogState } from "../catalog/catalog-session.ts";
import type { Console } from "../create-console.ts";
import { useStore } from "../use-store.ts";
import { AgentForm } from "./agent-form.tsx";
import { BuildList } from "./build-list.tsx";
import type { BuildState } from "./build-session.ts";
import { keyOf, routesPart } from "./part.ts";
import type { Part, PartName, PartProblem } from "./part.ts";
import { DialoguesPanel } from "./dialogues-panel.tsx";
import { PartActions } from "./part-actions.tsx";
import { ScenarioForm } from "./scenario-form.tsx";
import { VersionsPanel } from "./versions-panel.tsx";
import { TrialPanel } from "./trial-panel.tsx";
import { useToolTrial } from "./use-tool-trial.tsx";

interface BuildPageProps {
  readonly console: Pick<Console, "talk" | "build" | "dialogues" | "customers" | "toolTrials">;
  readonly catalog: CatalogState;
  readonly part: PartName | undefined;
  readonly isOperator: boolean;
  readonly mayPublish: boolean;
  /** May try tools, which act with the service's own keys. */
  readonly runsService: boolean;
}

export function BuildPage({ console, catalog, part, isOperator, mayPublish, runsService }: BuildPageProps) {
  const { build: session } = console;
  const state = useStore(session.store);
  const { kind, name } = part ?? {};
  const [attempt, setAttempt] = useState(1);
  useEffect(() => session.load(), [session, attempt]);
  useEffect(
    () => (kind === undefined || name === undefined ? undefined : session.open({ kind, name })),
    [session, kind, name, attempt],
  );
  useEffect(() => {
    if (isOperator) void session.loadPublished();
  }, [session, isOperator, attempt]);
  const tryAgain = (): void => setAttempt(attempt + 1);
  const opened = part === undefined ? undefined : state.parts[keyOf(part)];
  const problem = part !== undefined && state.problem?.part === keyOf(part) ? state.problem : undefined;
  const { view, connection } = useStore(console.talk.store);
  const trial = useToolTrial(console);
  return (
    <main className={part === undefined ? "page page-build" : "page page-build page-picked"} aria-label="Build">
      <BuildList session={session} catalog={catalog} selected={part} onRetry={tryAgain} />
      <section className="stage" aria-label={part === undefined ? "What to build" : part.name}>
        {part === undefined ? (
          <NothingPicked session={session} published={state.published} mayPublish={mayPublish} />
        ) : (
          <div className="build-part">
            <a className="back" href="#build">
              All agents and scenarios
            </a>
            {state.problem !== undefined && (
              <p className="banner banner-error" role="alert">
                {state.problem.sentence}
                {problem === undefined && state.problem.part !== "" && <PartLink part={state.problem.part} />}
                {opened === undefined && (
                  <button type="button" className="link" onClick={tryAgain}>
                    Try again
                  </button>
                )}
              </p>
            )}
            {opened === undefined && state.problem === undefined && <p role="status">Loading…</p>}
            {opened !== undefined && (
              <>
                <PartActions
                  key={keyOf(opened)}
                  session={session}
                  part={opened}
                  isOperator={isOperator}
                  mayPublish={mayPublish}
                />
                <PartForm
                  session={session}
                  part={opened}
                  problem={problem}
                  active={connection.kind === "open" ? view.agent : undefined}
                  onTryTool={runsService ? (tool) => trial.start({ tool, agent: opened.name }) : undefined}
                />
              </>
            )}
          </div>
        )}
      </section>
      {opened !== undefined && (
        <TrialPanel key={keyOf(opened)} talk={console.talk} session={session} part={opened} catalog={catalog}>
          {opened.kind === "scenario" && opened.original !== undefined && (
            <DialoguesPanel
              scenario={opened.name}
              isChanged={opened.isChanged}
              dialogues={console.dialogues}
              published={state.published}
            />
          )}
        </TrialPanel>
      )}
      {trial.dialog}
    </main>
  );
}

interface PartFormProps {
  readonly session: Console["build"];
  readonly part: Part;
  readonly problem: PartProblem | undefined;
  /** The agent that speaks in this page's conversation. */
  readonly active: string | undefined;
  readonly onTryTool: ((tool: string) => void) | undefined;
}

function PartForm({ active, onTryTool, ...rest }: PartFormProps) {
  return rest.part.kind === "agent" ? (
    <AgentForm {...rest} onTryTool={onTryTool} />
  ) : (
    <ScenarioForm {...rest} active={active} />
  );
}

function PartLink({ part }: { readonly part: string }) {
  return (
    <>
      {" "}
      <a href={part === keyOf(routesPart) ? "#system" : `#build/${part}`}>Show it</a>
    </>
  );
}

interface NothingPickedProps {
  readonly session: Console["build"];
  readonly published: BuildState["published"];
  readonly mayPublish: boolean;
}

function NothingPicked({ session, published, mayPublish }: NothingPickedProps) {
  return (
    <div className="welcome">
      <h2>Build agents and scenarios</h2>
      <p>
        Pick one from the list to see what it is made of. Change what you like and talk with it at once: nobody else
        notices until you publish it, or put its files into your catalog.
      </p>
      {published !== undefined && <VersionsPanel session={session} published={published} mayPublish={mayPublish} />}
    </div>
  );
}
