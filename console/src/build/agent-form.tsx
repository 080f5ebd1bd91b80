import type { Document } from "../api/build-api.ts";
import { useStore } from "../use-store.ts";
import { agentFieldGroups, fieldText, fieldValue, inEffect } from "./agent-fields.ts";
import type { AgentField } from "./agent-fields.ts";
import type { BuildSession } from "./build-session.ts";
import type { Part, PartProblem } from "./part.ts";
import { valueAt } from "./document-path.ts";
import { otherProblems } from "./field-problems.ts";
import { ToolsField } from "./tools-field.tsx";
import { TextField } from "./text-field.tsx";
import { YamlField } from "./yaml-field.tsx";
import { FieldProblems } from "../components/field-problem.tsx";

interface AgentFormProps {
  readonly session: BuildSession;
  readonly part: Part;
  readonly problem: PartProblem | undefined;
  readonly onTryTool: ((tool: string) => void) | undefined;
}

const paths = agentFieldGroups.flatMap(({ fields }) => fields.map(({ path }) => path));

export function AgentForm({ session, part, problem, onTryTool }: AgentFormProps) {
  const { voices, tools } = useStore(session.store);
  const { document, effective } = part;
  const field = ({ path, label, kind, hint, suggests }: AgentField) =>
    kind === "tools" ? (
      <ToolsField
        key={path}
        chosen={namesIn(valueAt(document, path))}
        known={tools}
        problem={problem}
        onTry={onTryTool}
        onChange={(chosen) => session.change(part, path, chosen.length === 0 ? undefined : chosen)}
      />
    ) : kind === "yaml" ? (
      <YamlField
        key={path}
        label={label}
        path={path}
        hint={hint}
        value={valueAt(document, path)}
        problem={problem}
        onChange={(value) => session.change(part, path, value)}
      />
    ) : (
      <TextField
        key={path}
        label={label}
        path={path}
        kind={kind}
        hint={hint}
        text={fieldText(valueAt(document, path))}
        placeholder={effective === undefined ? "" : inEffect(effective, path)}
        suggestions={suggests === "voices" ? voices : undefined}
        problem={problem}
        onChange={(text) => session.change(part, path, fieldValue(kind, text))}
      />
    );
  return (
    <div className="fields build-fields">
      <FieldProblems sentences={otherProblems(problem, paths)} />
      {shownGroups(document).map(({ title, fields, isFolded = false }) =>
        isFolded ? (
          <details
            key={title}
            className="fold"
            open={fields.some(({ path }) => hasProblem(problem, path)) || undefined}
          >
            <summary>{title}</summary>
            <div className={fields.some(({ kind }) => kind === "yaml") ? "fields" : "field-row"}>
              {fields.map(field)}
            </div>
          </details>
        ) : (
          <fieldset key={title}>
            <legend>{title}</legend>
            <div className={title === "Voice" ? "field-row" : "fields"}>{fields.map(field)}</div>
          </fieldset>
        ),
      )}
    </div>
  );
}

function shownGroups(document: Document): typeof agentFieldGroups {
  return agentFieldGroups.map((group) => ({
    ...group,
    fields: group.fields.filter(({ path, isRare }) => isRare !== true || valueAt(document, path) !== undefined),
  }));
}

function namesIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function hasProblem(problem: PartProblem | undefined, path: string): boolean {
  return problem?.fields.some(({ field }) => field === path || field.startsWith(`${path}.`)) ?? false;
}
