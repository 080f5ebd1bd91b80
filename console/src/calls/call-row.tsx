import { useState } from "react";

import type { CallInfo } from "../api/calls-api.ts";
import { ConfirmDialog } from "../components/confirm-dialog.tsx";
import { SteadyButton } from "../components/steady-button.tsx";
import { TransferForm } from "../components/transfer-form.tsx";
import { farNumberOf, isInbound, isLive, outcomeOf } from "../conversation/call-outcome.ts";
import { costInWords } from "../conversation/format-cost.ts";
import { displayName } from "../display-name.ts";
import { formatMoment } from "../format-moment.ts";
import { formatRoute } from "../route.ts";
import { formatDuration } from "../format-duration.ts";
import { happeningInWords } from "./describe-call-event.ts";

interface CallRowProps {
  readonly call: CallInfo;
  readonly isBusy: boolean;
  readonly ownNumber: string | undefined;
  readonly isOperator: boolean;
  readonly onHangUp: () => void;
  readonly onTransfer: (number: string) => void;
}

export function CallRow({ call, isBusy, ownNumber, isOperator, onHangUp, onTransfer }: CallRowProps) {
  const { scenario, created_at: createdAt, duration } = call;
  const isIncoming = isInbound(call);
  const { text, tone } = outcomeOf(call);
  const farNumber = farNumberOf(call);
  /** A participant of the call cannot take it over. */
  const takesOver = ownNumber === farNumber ? undefined : ownNumber;
  const [asksToHangUp, setAsksToHangUp] = useState(false);
  const isTalking = call.status === "connected" || call.status === "on_hold";
  return (
    <li className="call" data-tone={tone}>
      <p className="call-who">
        <span className="call-way">{isIncoming ? "In" : "Out"}</span>
        <strong>
          <span className="visually-hidden">{isIncoming ? "From" : "To"} </span>
          {farNumber ?? "Number withheld"}
        </strong>
        {scenario && <span className="hint">{displayName(scenario)}</span>}
      </p>
      <p className="call-outcome">{text}</p>
      <p className="call-when hint">
        <time dateTime={createdAt}>{formatMoment(createdAt)}</time>
        {typeof duration === "number" && <span> · {formatDuration(duration)}</span>}
        {call.cost && <span> · {costInWords(call.cost)}</span>}
      </p>
      <p className="call-actions">
        {typeof duration === "number" && (
          <a className="pill-button" href={formatRoute({ page: "conversations", sessionId: call.session_id })}>
            {isTalking ? "Watch" : "Open"}
          </a>
        )}
        {isLive(call) && (
          <SteadyButton className="pill-button pill-end" isOff={isBusy} onClick={() => setAsksToHangUp(true)}>
            Hang up
          </SteadyButton>
        )}
      </p>
      {asksToHangUp && (
        <ConfirmDialog
          title="Hang up this call?"
          text={`The call with ${farNumber ?? "a number that is withheld"} is cut off at once, without a word to who is on the line.`}
          confirm="Hang up"
          onConfirm={() => {
            setAsksToHangUp(false);
            onHangUp();
          }}
          onCancel={() => setAsksToHangUp(false)}
        />
      )}
      <div className="call-more">
        <Happenings call={call} />
        {isTalking && isOperator && (
          <details>
            <summary>Transfer</summary>
            <TransferForm
              key={takesOver}
              about={call.call_id}
              isBusy={isBusy}
              initial={takesOver}
              onTransfer={onTransfer}
            />
          </details>
        )}
      </div>
    </li>
  );
}

function Happenings({ call: { call_id: id, events } }: { readonly call: CallInfo }) {
  return (
    <details>
      <summary>What happened</summary>
      <p className="hint">
        Call <code>{id}</code>
      </p>
      <ol>
        {events.map((event, index) => (
          // Two entries may be equal, even in their time.
          <li key={`${event.timestamp} ${index}`}>
            <time dateTime={event.timestamp}>{new Date(event.timestamp).toLocaleTimeString()}</time>{" "}
            {happeningInWords(event)}
          </li>
        ))}
      </ol>
      {events.length === 0 && <p className="hint">Nothing yet.</p>}
    </details>
  );
}
