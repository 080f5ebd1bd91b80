import type { ReactNode } from "react";

import type { AgentState } from "../conversation/conversation-view.ts";
import { displayName } from "../display-name.ts";
import { AgentAvatar } from "./agent-avatar.tsx";

export const agentStateInWords: Readonly<Record<AgentState, string>> = {
  listening: "Listening",
  thinking: "Thinking",
  speaking: "Speaking",
};

interface PanelAgent {
  readonly name: string;
  readonly description: string;
}

interface AgentPanelProps {
  readonly agents: readonly PanelAgent[];
  readonly emptyText: string;
  readonly activeAgent: string | undefined;
  readonly agentState: AgentState | undefined;
  /** Shown beside the title. */
  readonly action?: ReactNode;
  /** Shows who is speaking. */
  readonly children?: ReactNode;
}

/** The agents that take part, and which of them is active. */
export function AgentPanel({ agents, emptyText, activeAgent, agentState, action, children }: AgentPanelProps) {
  const isKnown = activeAgent === undefined || agents.some(({ name }) => name === activeAgent);
  const shown = isKnown ? agents : [{ name: activeAgent, description: "" }, ...agents];
  return (
    <section className="panel" aria-labelledby="agents-title">
      <div className="panel-title">
        <h2 id="agents-title">Agents</h2>
        {action}
      </div>
      {shown.length === 0 && <p className="hint">{emptyText}</p>}
      <ul className="agents">
        {shown.map(({ name, description }) => {
          const isActive = name === activeAgent;
          return (
            <li key={name} aria-current={isActive ? "true" : undefined}>
              <AgentAvatar name={name} />
              <div>
                <p className="agent-name">
                  {displayName(name)}
                  {isActive && agentState !== undefined && (
                    <span className={`state state-${agentState}`}>{agentStateInWords[agentState]}</span>
                  )}
                </p>
                {description !== "" && (
                  <p className="hint agent-description" title={description}>
                    {description}
                  </p>
                )}
              </div>
            </li>
          );
        })}
      </ul>
      {children}
    </section>
  );
}
