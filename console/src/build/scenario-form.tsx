import { HandoffGraph } from "../components/handoff-graph.tsx";
import { displayName } from "../display-name.ts";
import { useStore } from "../use-store.ts";
import { fieldText, fieldValue } from "./agent-fields.ts";
import type { BuildSession } from "./build-session.ts";
import type { Part, PartProblem } from "./part.ts";
import { otherProblems, problemsAt } from "./field-problems.ts";
import { HandoffRows } from "./handoff-rows.tsx";
import { scenarioOf } from "./scenario-document.ts";
import { TextField } from "./text-field.tsx";
import { FieldProblems } from "../components/field-problem.tsx";

interface ScenarioFormProps {
  readonly session: BuildSession;
  readonly part: Part;
  readonly problem: PartProblem | undefined;
  /** The active agent of this browser's conversation. */
  readonly active: string | undefined;
}

export function ScenarioForm({ session, part, problem, active }: ScenarioFormProps) {
  const state = useStore(session.store);
  const scenario = scenarioOf(part.document);
  const made = session.changed("agent").map(({ name }) => name);
  const names = [...new Set([...(state.agents ?? []).map(({ name }) => name), ...made, ...scenario.agents])];
  const change = (path: string, value: unknown): void => session.change(part, path, value);
  return (
    <div className="fields build-fields">
      <HandoffGraph scenario={scenario} active={active} />
      <FieldProblems sentences={otherProblems(problem, ["description", "agents", "start_agent", "handoffs"])} />
      <TextField
        label="Description"
        path="description"
        kind="line"
        text={fieldText(part.document["description"])}
        problem={problem}
        onChange={(text) => change("description", fieldValue("line", text))}
      />
      <fieldset>
        <legend>Agents</legend>
        <div className="agent-choice">
          {names.map((name) => (
            <label key={name}>
              <input
                type="checkbox"
                checked={scenario.agents.includes(name)}
                onChange={({ target }) =>
                  change(
                    "agents",
                    target.checked ? [...scenario.agents, name] : scenario.agents.filter((other) => other !== name),
                  )
                }
              />{" "}
              {displayName(name)}
            </label>
          ))}
        </div>
        <Problems sentences={problemsAt(problem, "agents", true)} />
      </fieldset>
      <label>
        <span>Who takes the call</span>
        <select value={scenario.start_agent} onChange={({ target }) => change("start_agent", target.value)}>
          {[...new Set([scenario.start_agent, ...scenario.agents])].map((name) => (
            <option key={name} value={name}>
              {displayName(name)}
            </option>
          ))}
        </select>
      </label>
      <Problems sentences={problemsAt(problem, "start_agent", false)} />
      <HandoffRows scenario={scenario} problem={problem} onChange={(handoffs) => change("handoffs", handoffs)} />
    </div>
  );
}

function Problems({ sentences }: { readonly sentences: readonly string[] }) {
  return sentences.map((sentence) => (
    <p key={sentence} className="field-problem" role="alert">
      {sentence}
    </p>
  ));
}
