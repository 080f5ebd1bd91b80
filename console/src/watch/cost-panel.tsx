import { useEffect } from "react";

import { displayName } from "../display-name.ts";
import { useStore } from "../use-store.ts";
import type { CostSession } from "./cost-session.ts";
import { costByAgent, costInWords, costRows } from "../conversation/format-cost.ts";

interface CostPanelProps {
  readonly sessionId: string;
  readonly costs: CostSession;
  /** Changes whenever something was used: a turn, or the end. */
  readonly moment: string;
}

/** What the conversation has used of services that are paid for. Nothing where all of them are on this machine. */
export function CostPanel({ sessionId, costs: session, moment }: CostPanelProps) {
  const { costs } = useStore(session.store);
  useEffect(() => session.read(sessionId), [session, sessionId, moment]);
  if (costs === undefined || costs.usage.length === 0) return null;
  const agents = costByAgent(costs.usage);
  return (
    <section className="panel" aria-labelledby="costs-title">
      <h2 id="costs-title">Costs</h2>
      <dl className="facts amounts">
        <div>
          <dt>
            <strong>Total</strong>
          </dt>
          <dd>
            <strong>{costs.cost ? costInWords(costs.cost) : "not priced"}</strong>
          </dd>
        </div>
        {costRows(costs.usage).map(({ title, amounts, cost, isEstimated }) => (
          <div key={title}>
            <dt>
              {title}
              <br />
              <span className="hint">
                {amounts}
                {isEstimated && " (partly estimated)"}
              </span>
            </dt>
            <dd>{cost}</dd>
          </div>
        ))}
        {agents.length > 1 &&
          agents.map(({ agent, cost }) => (
            <div key={agent}>
              <dt>{displayName(agent)}</dt>
              <dd>{cost}</dd>
            </div>
          ))}
      </dl>
    </section>
  );
}
