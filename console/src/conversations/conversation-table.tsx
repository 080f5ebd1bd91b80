import { Bot, Globe, Phone, PhoneIncoming, PhoneOutgoing, RadioTower } from "lucide-react";
import { useLayoutEffect, useRef, useState } from "react";
import type { KeyboardEvent, ReactNode } from "react";

import type { ConversationInfo } from "../api/conversations-api.ts";
import { costInWords } from "../conversation/format-cost.ts";
import { displayName } from "../display-name.ts";
import { formatDuration } from "../format-duration.ts";
import { formatMoment } from "../format-moment.ts";
import { formatRoute } from "../route.ts";
import type { ConversationFilter } from "../conversation/conversation-filter.ts";
import { slowAnswerMs } from "../conversation/conversation-filter.ts";
import {
  describeChannel,
  describeLatency,
  describeOutcome,
  describeRelease,
  describeReason,
  describeWho,
  isCallAlone,
} from "./describe-conversation.ts";
import { windowOf } from "./row-window.ts";

/** As in the style sheet. */
const rowHeight = 32;
/** The next page is read when this many rows are left below the window. */
const readAhead = 40;

interface ConversationTableProps {
  readonly rows: readonly ConversationInfo[];
  readonly filter: ConversationFilter;
  readonly total: number | null;
  readonly hasMore: boolean;
  readonly onMore: () => void;
  /** While somebody points at the rows, none may come between. */
  readonly onHold: (isHeld: boolean) => void;
}

const columns = [
  ["when", "When"],
  ["who", "Who"],
  ["channel", "Channel"],
  ["scenario", "Scenario"],
  ["agents", "Agents"],
  ["release", "Version"],
  ["outcome", "Outcome"],
  ["duration", "Duration"],
  ["latency", "Answer p95"],
  ["cost", "Cost"],
  ["failures", "Failures"],
] as const;

export function ConversationTable({ rows, filter, total, hasMore, onMore, onHold }: ConversationTableProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ scrollTop: 0, height: 640 });
  const { first, end } = windowOf(view, rowHeight, rows.length);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return undefined;
    const measure = (): void => setView({ scrollTop: element.scrollTop, height: element.clientHeight });
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  useStillRows(scroller, rows);
  useLayoutEffect(() => {
    if (hasMore && end > rows.length - readAhead) onMore();
  }, [hasMore, end, rows.length, onMore]);
  return (
    <div
      ref={scroller}
      className="table-scroller"
      tabIndex={0}
      role="region"
      aria-label="Conversations, the newest first"
      onScroll={({ currentTarget: { scrollTop, clientHeight } }) => setView({ scrollTop, height: clientHeight })}
      onPointerEnter={() => onHold(true)}
      onPointerLeave={() => onHold(false)}
    >
      <table className="table" aria-rowcount={total === null ? -1 : total + 1}>
        <thead>
          <tr aria-rowindex={1}>
            {columns.map(([name, title]) => (
              <th key={name} scope="col" className={`column-${name}`}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody onKeyDown={moveBetweenRows}>
          <Gap rows={first} />
          {rows.slice(first, end).map((row, at) => (
            <Row key={row.session_id} row={row} filter={filter} index={first + at + 2} />
          ))}
          <Gap rows={rows.length - end} />
        </tbody>
      </table>
    </div>
  );
}

/** In the place of rows that are not drawn. */
function Gap({ rows }: { readonly rows: number }) {
  return rows <= 0 ? null : (
    <tr aria-hidden="true" className="table-gap">
      <td colSpan={columns.length} style={{ height: rows * rowHeight }} />
    </tr>
  );
}

/** Whoever has scrolled down keeps the rows that they look at when others come before these. */
function useStillRows(scroller: { readonly current: HTMLDivElement | null }, rows: readonly ConversationInfo[]): void {
  const before = useRef(rows);
  useLayoutEffect(() => {
    const top = before.current[0]?.session_id;
    before.current = rows;
    const element = scroller.current;
    if (element === null || element.scrollTop === 0 || top === undefined) return;
    const added = rows.findIndex((row) => row.session_id === top);
    if (added > 0) element.scrollTop += added * rowHeight;
  }, [scroller, rows]);
}

/** The arrow keys go from row to row; a row's link is what has the focus. */
function moveBetweenRows(event: KeyboardEvent<HTMLElement>): void {
  const step =
    event.key === "ArrowDown" ? "nextElementSibling" : event.key === "ArrowUp" ? "previousElementSibling" : undefined;
  const row = event.target instanceof Element ? event.target.closest("tr") : null;
  if (step === undefined || row === null) return;
  const link = row[step]?.querySelector("a");
  if (!link) return;
  event.preventDefault();
  link.focus();
  link.scrollIntoView({ block: "nearest" });
}

interface RowProps {
  readonly row: ConversationInfo;
  readonly filter: ConversationFilter;
  readonly index: number;
}

function Row({ row, filter, index }: RowProps) {
  const { session_id: id, started_at: began, outcome, agents, scenario, cost, failures, answer_p95_ms: p95 } = row;
  const href = isCallAlone(row)
    ? formatRoute({ page: "calls", search: row.call_id ?? id })
    : formatRoute({ page: "conversations", sessionId: id, filter });
  const reason = describeReason(row);
  const isSlow = typeof p95 === "number" && p95 >= slowAnswerMs;
  const names = agents.map(displayName).join(" → ");
  return (
    <tr aria-rowindex={index} data-outcome={outcome}>
      <Cell name="when">
        <time dateTime={began}>{formatMoment(began)}</time>
      </Cell>
      <Cell name="who">
        <a href={href} title={id}>
          {describeWho(row)}
        </a>
      </Cell>
      <Cell name="channel">
        <ChannelIcon {...row} />
        {describeChannel(row.channel)}
      </Cell>
      <Cell name="scenario">{scenario && displayName(scenario)}</Cell>
      <Cell name="agents">
        <span title={names}>{names}</span>
      </Cell>
      <Cell name="release">{describeRelease(row.release)}</Cell>
      <Cell name="outcome">
        <span className="outcome" data-outcome={outcome} title={reason}>
          <strong>{describeOutcome(outcome)}</strong>
          {reason !== "" && <span className="hint"> {reason}</span>}
          {row.noted?.outcome != null && <span className="hint"> · {displayName(row.noted.outcome)}</span>}
        </span>
      </Cell>
      <Cell name="duration">{formatDuration(Math.round(row.duration_ms / 1000))}</Cell>
      <Cell name="latency">
        <span className={isSlow ? "is-slow" : undefined}>{describeLatency(p95)}</span>
      </Cell>
      <Cell name="cost">{cost && costInWords(cost)}</Cell>
      <Cell name="failures">{failures ? <span className="failure-count">{failures}</span> : ""}</Cell>
    </tr>
  );
}

function Cell({ name, children }: { readonly name: (typeof columns)[number][0]; readonly children: ReactNode }) {
  return <td className={`column-${name}`}>{children}</td>;
}

function ChannelIcon({ channel, direction }: Pick<ConversationInfo, "channel" | "direction">) {
  if (channel === "browser") return <Globe className="icon" aria-hidden="true" />;
  if (channel === "telephony") return <RadioTower className="icon" aria-hidden="true" />;
  if (channel !== "phone") return <Bot className="icon" aria-hidden="true" />;
  if (direction === "inbound") return <PhoneIncoming className="icon" role="img" aria-label="Incoming" />;
  if (direction === "outbound") return <PhoneOutgoing className="icon" role="img" aria-label="Outgoing" />;
  return <Phone className="icon" aria-hidden="true" />;
}
