import { useStore } from "../use-store.ts";
import { agentFieldGroups, fieldText, fieldValue, inEffect } from "./agent-fields.ts";
import type { AgentField } from "./agent-fields.ts";
import type { BuildSession, Part, PartProblem } from "./build-session.ts";
import { valueAt } from "./document-path.ts";
import { otherProblems } from "./field-problems.ts";
import { TextField } from "./text-field.tsx";

interface AgentFormProps {
  readonly session: BuildSession;
  readonly part: Part;
  readonly problem: PartProblem | undefined;
}

const paths = agentFieldGroups.flatMap(({ fields }) => fields.map(({ path }) => path));

export function AgentForm({ session, part, problem }: AgentFormProps) {
  const { voices, agents } = useStore(session.store);
  const knownTools = [...new Set(agents?.flatMap(({ tools }) => tools))].toSorted();
  const { document, effective } = part;
  const field = ({ path, label, kind, hint, suggests }: AgentField) => (
    <TextField
      key={path}
      label={label}
      path={path}
      kind={kind}
      hint={path === "tools" ? `The agents use ${knownTools.join(", ")}.` : hint}
      text={fieldText(valueAt(document, path))}
      placeholder={effective === undefined ? "" : inEffect(effective, path)}
      suggestions={suggests === "voices" ? voices : undefined}
      problem={problem}
      onChange={(text) => session.change(part, path, fieldValue(kind, text))}
    />
  );
  return (
    <div className="fields build-fields">
      {otherProblems(problem, paths).map((sentence) => (
        <p key={sentence} className="field-problem">
          {sentence}
        </p>
      ))}
      {agentFieldGroups.map(({ title, fields, isFolded = false }) =>
        isFolded ? (
          <details
            key={title}
            className="fold"
            open={fields.some(({ path }) => hasProblem(problem, path)) || undefined}
          >
            <summary>{title}</summary>
            <div className="field-row">{fields.map(field)}</div>
          </details>
        ) : (
          <fieldset key={title}>
            <legend>{title}</legend>
            <div className={title === "Voice" ? "field-row" : "fields"}>{fields.map(field)}</div>
          </fieldset>
        ),
      )}
      <p className="hint">Rules, guardrails and variables stay as they are; they are in its YAML.</p>
    </div>
  );
}

function hasProblem(problem: PartProblem | undefined, path: string): boolean {
  return problem?.fields.some(({ field }) => field === path || field.startsWith(`${path}.`)) ?? false;
}
