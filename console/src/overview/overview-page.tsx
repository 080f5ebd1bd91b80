import { useEffect } from "react";

import type { Overview, Span } from "../api/overview-api.ts";
import { costInWords } from "../conversation/format-cost.ts";
import { endingAfterColon } from "../conversation/explain-reason.ts";
import { describeOutcome } from "../conversations/describe-conversation.ts";
import type { Console } from "../create-console.ts";
import { displayName } from "../display-name.ts";
import { formatDuration } from "../format-duration.ts";
import { formatRoute } from "../route.ts";
import type { HealthSession } from "../system/health-session.ts";
import { useStore } from "../use-store.ts";
import { DayChart } from "./day-chart.tsx";
import { figureOrNone, shareInWords, stageInWords, stageOrder } from "./format-figures.ts";

interface OverviewPageProps {
  readonly console: Pick<Console, "overview" | "health">;
  readonly days: Span;
  readonly isOperator: boolean;
}

const spans = [
  { days: 1, label: "Today" },
  { days: 7, label: "7 days" },
  { days: 30, label: "30 days" },
] as const;

export function OverviewPage({ console: { overview: session, health }, days, isOperator }: OverviewPageProps) {
  const { overview, problem, days: shownDays } = useStore(session.store);
  useEffect(() => (isOperator ? session.watch(days) : undefined), [session, days, isOperator]);
  return (
    <main className="page page-overview" tabIndex={0} aria-label="Overview">
      <div className="page-head">
        <h2 className="page-title">Overview</h2>
        <nav className="overview-spans" aria-label="Span">
          {spans.map(({ days: span, label }) => (
            <a
              key={span}
              className="pill-button"
              href={formatRoute({ page: "overview", days: span })}
              aria-current={span === days ? "page" : undefined}
            >
              {label}
            </a>
          ))}
        </nav>
      </div>
      {!isOperator && <p className="panel hint">Figures of all conversations are for operators.</p>}
      {problem !== undefined && (
        <p className="banner banner-warning" role="status">
          The figures could not be read: {problem}
        </p>
      )}
      {isOperator && problem === undefined && overview === undefined && (
        <p className="hint" role="status">
          Loading…
        </p>
      )}
      {overview !== undefined && shownDays === days && <Figures overview={overview} health={health} />}
    </main>
  );
}

interface FiguresProps {
  readonly overview: Overview;
  readonly health: HealthSession;
}

function Figures({ overview, health }: FiguresProps) {
  const { days, latency, outcomes, failures, tools, handoffs, scenarios } = overview;
  const [currency] = overview.cost;
  return (
    <>
      <Tiles overview={overview} />
      <div className="overview-panels">
        <section className="panel">
          <h2>Conversations by day</h2>
          <DayChart
            title="Conversations"
            markedName="Failed"
            columns={days.map(({ day, conversations, failed }) => ({ day, total: conversations, marked: failed }))}
            format={String}
          />
        </section>
        <section className="panel">
          <h2>Answers by day</h2>
          <DayChart
            title="Answer, p95"
            columns={days.map(({ day, answer_p95_ms: ms }) => ({ day, total: ms ?? 0 }))}
            format={(ms) => (ms === 0 ? "none" : `${Math.round(ms)} ms`)}
          />
        </section>
        {currency !== undefined && (
          <section className="panel">
            <h2>Cost by day</h2>
            <DayChart
              title="Cost"
              columns={days.map(({ day, cost }) => ({
                day,
                total: cost.find((one) => one.currency === currency.currency)?.amount ?? 0,
              }))}
              format={(amount) => costOf({ amount, currency: currency.currency })}
            />
          </section>
        )}
        <RankPanel
          title="Outcomes"
          rows={outcomes.map(({ name, count }) => ({ name: describeOutcome(name), count }))}
          none="No conversation has ended."
        />
        <RankPanel
          title="Failures by reason"
          rows={failures.map(({ name, count }) => ({ name: endingAfterColon(name), count }))}
          none="Nothing has failed."
          isBad
        />
        <LatencyPanel latency={latency} />
        <HealthPanel health={health} />
        <NotedPanels overview={overview} />
        <RankPanel
          title="Tools"
          rows={tools.map(({ name, count, failed }) => ({
            name: displayName(name),
            count,
            note: failed > 0 ? `${failed} failed` : undefined,
          }))}
          none="No tool was called."
        />
        <RankPanel
          title="Handoffs"
          rows={handoffs.map(({ from, to, count }) => ({ name: `${displayName(from)} → ${displayName(to)}`, count }))}
          none="No agent has handed over."
        />
        <RankPanel
          title="Scenarios"
          rows={scenarios.map(({ name, count }) => ({ name: displayName(name), count }))}
          none="No conversation has ended."
        />
      </div>
    </>
  );
}

/** The notes that were made of ended conversations. There are none unless an agent's file defines some. */
function NotedPanels({ overview: { noted, noted_values: values } }: Pick<FiguresProps, "overview">) {
  const panels = [
    { title: "What came of conversations", rows: noted },
    ...[...new Set(values.map(({ field }) => field))].map((field) => ({
      title: displayName(field),
      rows: values.flatMap(({ field: of, value: name, count }) => (of === field ? [{ name, count }] : [])),
    })),
  ];
  return panels.map(
    ({ title, rows }) =>
      rows.length > 0 && (
        <RankPanel
          key={title}
          title={title}
          rows={rows.map(({ name, count }) => ({ name: displayName(name), count }))}
          none=""
        />
      ),
  );
}

/** What works now, beside the figures of what has failed. */
function HealthPanel({ health }: Pick<FiguresProps, "health">) {
  const { trouble, isKnown } = useStore(health.store);
  return (
    <section className="panel">
      <h2>Health</h2>
      <p data-trouble={trouble !== undefined}>
        {trouble ?? (isKnown ? "Everything works." : "Not known: the service has not answered.")}
      </p>
      <p className="hint">
        <a href={formatRoute({ page: "system" })}>What every host is doing</a>
      </p>
    </section>
  );
}

function Tiles({ overview }: { readonly overview: Overview }) {
  const answer = overview.latency.find(({ stage }) => stage === "first_audio_ms");
  return (
    <dl className="overview-tiles">
      <Tile name="Live now" value={figureOrNone(overview.live)} />
      <Tile name="Conversations" value={String(overview.conversations)} />
      <Tile name="Phone calls" value={String(overview.calls)} />
      <Tile name="Contained" value={overview.contained === null ? "–" : shareInWords(overview.contained)} />
      <Tile name="Taken over" value={String(overview.with_person)} />
      <Tile
        name="Average length"
        value={overview.average_duration_ms === null ? "–" : formatDuration(overview.average_duration_ms / 1000)}
      />
      <Tile name="Answer, median" value={answer === undefined ? "–" : `${answer.p50} ms`} />
      <Tile name="Answer, p95" value={answer === undefined ? "–" : `${answer.p95} ms`} />
      <Tile name="Cost" value={overview.cost.length === 0 ? "–" : overview.cost.map(costOf).join(" + ")} />
    </dl>
  );
}

function costOf({ amount, currency }: { readonly amount: number; readonly currency: string }): string {
  return costInWords({ amount, currency, is_complete: true });
}

function Tile({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div className="overview-tile">
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

interface RankRow {
  readonly name: string;
  readonly count: number;
  readonly note?: string | undefined;
}

interface RankPanelProps {
  readonly title: string;
  readonly rows: readonly RankRow[];
  readonly none: string;
  readonly isBad?: boolean;
}

const shownRows = 8;

function RankPanel({ title, rows, none, isBad = false }: RankPanelProps) {
  const greatest = Math.max(1, ...rows.map(({ count }) => count));
  return (
    <section className="panel">
      <h2>{title}</h2>
      {rows.length === 0 && <p className="hint">{none}</p>}
      <ol className={isBad ? "ranks ranks-bad" : "ranks"}>
        {rows.slice(0, shownRows).map(({ name, count, note }) => (
          <li key={name}>
            <span className="rank-name">
              {name} {note !== undefined && <span className="rank-note">{note}</span>}
            </span>
            <span className="rank-count">{count}</span>
            <span className="rank-bar" aria-hidden="true">
              <span style={{ inlineSize: `${(count / greatest) * 100}%` }} />
            </span>
          </li>
        ))}
      </ol>
      {rows.length > shownRows && <p className="hint">and {rows.length - shownRows} more</p>}
    </section>
  );
}

function LatencyPanel({ latency }: Pick<Overview, "latency">) {
  const inOrder = latency.toSorted((one, other) => stageOrder(one.stage) - stageOrder(other.stage));
  const rows = inOrder.flatMap(({ stage, ...figures }) => {
    const name = stageInWords(stage);
    return name === undefined ? [] : [{ name, ...figures }];
  });
  return (
    <section className="panel">
      <h2>Time to answer, after the caller’s last word</h2>
      {rows.length === 0 ? (
        <p className="hint">No answer was measured.</p>
      ) : (
        <table className="overview-table">
          <thead>
            <tr>
              <th scope="col">Until</th>
              <th scope="col">p50</th>
              <th scope="col">p95</th>
              <th scope="col">Answers</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ name, p50, p95, count }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>{p50} ms</td>
                <td>{p95} ms</td>
                <td>{count}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
