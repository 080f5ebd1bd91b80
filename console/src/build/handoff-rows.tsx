import type { Document } from "../api/build-api.ts";
import { displayName } from "../display-name.ts";
import type { PartProblem } from "./part.ts";
import { withValue } from "./document-path.ts";
import { problemsAt } from "./field-problems.ts";
import type { ScenarioView } from "./scenario-document.ts";
import { FieldProblems } from "../components/field-problem.tsx";

interface HandoffRowsProps {
  readonly scenario: ScenarioView;
  readonly problem: PartProblem | undefined;
  readonly onChange: (handoffs: readonly Document[]) => void;
}

export function HandoffRows({ scenario: { agents, handoffs }, problem, onChange }: HandoffRowsProps) {
  const documents = handoffs.map(({ document }) => document);
  const set = (index: number, path: string, value: unknown): void =>
    onChange(documents.map((document, at) => (at === index ? withValue(document, path, value) : document)));
  return (
    <fieldset>
      <legend>Handoffs</legend>
      <ol className="handoff-rows">
        {handoffs.map(({ from, to, document }, index) => {
          const about = `${displayName(from)} to ${displayName(to)}`;
          return (
            // Two rows may be equal while they are being edited.
            <li key={index}>
              <AgentChoice
                label={`From, handoff ${index + 1}`}
                value={from}
                agents={agents}
                onPick={(name) => set(index, "from", name)}
              />
              <span aria-hidden="true">→</span>
              <AgentChoice
                label={`To, handoff ${index + 1}`}
                value={to}
                agents={agents}
                onPick={(name) => set(index, "to", name)}
              />
              <select
                aria-label={`How ${about}`}
                value={document["type"] === "discrete" ? "discrete" : "announced"}
                onChange={({ target }) => set(index, "type", target.value)}
              >
                <option value="announced">announced</option>
                <option value="discrete">without a word</option>
              </select>
              <textarea
                rows={1}
                aria-label={`When ${about}`}
                value={typeof document["condition"] === "string" ? document["condition"] : ""}
                placeholder="when the caller…"
                onChange={({ target }) => set(index, "condition", target.value === "" ? undefined : target.value)}
              />
              <button
                type="button"
                className="chip"
                aria-label={`Remove the handoff from ${about}`}
                onClick={() => onChange(documents.filter((_, at) => at !== index))}
              >
                Remove
              </button>
              <FieldProblems sentences={problemsAt(problem, `handoffs.${index}`, false)} />
            </li>
          );
        })}
      </ol>
      <FieldProblems sentences={problemsAt(problem, "handoffs", false).filter((sentence) => !/^\d/.test(sentence))} />
      <button
        type="button"
        className="chip"
        disabled={agents.length < 2}
        onClick={() => onChange([...documents, { from: agents[0], to: agents[1], type: "announced" }])}
      >
        Another handoff
      </button>
    </fieldset>
  );
}

interface AgentChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly agents: readonly string[];
  readonly onPick: (name: string) => void;
}

function AgentChoice({ label, value, agents, onPick }: AgentChoiceProps) {
  return (
    <select aria-label={label} value={value} onChange={({ target }) => onPick(target.value)}>
      {[...new Set([value, ...agents])].map((name) => (
        <option key={name} value={name}>
          {displayName(name)}
        </option>
      ))}
    </select>
  );
}
