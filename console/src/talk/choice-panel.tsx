import type { CustomerKind } from "../api/service-api.ts";
import { customerKinds } from "../api/service-api.ts";
import { displayName } from "../display-name.ts";
import { useStore } from "../use-store.ts";
import type { CustomerSession } from "./customer-session.ts";
import { modes } from "./conversation-choice.ts";
import type { ConversationChoice } from "./conversation-choice.ts";

const modeNames = {
  REALTIME: "Recognition, model, voice",
  VOICE_LIVE: "Realtime model",
} as const;

interface ChoicePanelProps {
  readonly choice: ConversationChoice;
  readonly customers: CustomerSession;
  readonly onChange: (change: Partial<ConversationChoice>) => void;
}

/** Chooses the mode of the next conversation, and the customer that the caller plays in it. */
export function ChoicePanel({ choice, customers, onChange }: ChoicePanelProps) {
  const { customer, isBeingMade, problem } = useStore(customers.store);
  const choose = async (kind: string): Promise<void> => {
    if (isBeingMade) return;
    if (kind === "") {
      customers.useDefault();
      onChange({ profileId: undefined });
      return;
    }
    const made = await customers.make(customerKinds.find((known) => known === kind) ?? "banking");
    if (made !== undefined) onChange({ profileId: made.profile_id });
  };
  return (
    <details className="panel fold">
      <summary>Conversation</summary>
      <div className="fields">
        <label>
          <span>Mode</span>
          <select
            value={choice.mode ?? "REALTIME"}
            onChange={({ target }) => onChange({ mode: modes.find((mode) => mode === target.value) })}
          >
            {modes.map((mode) => (
              <option key={mode} value={mode}>
                {modeNames[mode]}
              </option>
            ))}
          </select>
        </label>
        <label>
          <span>Customer</span>
          <select
            value={customer === undefined ? "" : "made"}
            aria-disabled={isBeingMade}
            onChange={({ target }) => void choose(target.value)}
          >
            <option value="">Alex Morgan, the usual one</option>
            {customer !== undefined && <option value="made">{customer.name}</option>}
            {customerKinds.map((kind: CustomerKind) => (
              <option key={kind} value={kind}>
                Somebody new ({kind})
              </option>
            ))}
          </select>
        </label>
        {isBeingMade && (
          <p className="hint" role="status">
            Making somebody up…
          </p>
        )}
        {problem !== undefined && (
          <p className="field-problem" role="alert">
            No customer could be made: {problem}
          </p>
        )}
        {customer !== undefined && (
          <dl className="facts">
            {Object.entries(customer.profile.verification_codes ?? {}).map(([name, value]) => (
              <div key={name}>
                <dt>{displayName(name)}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        )}
      </div>
    </details>
  );
}
