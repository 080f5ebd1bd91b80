import { useId, useState } from "react";

import type { ToolList } from "../api/build-api.ts";
import { FieldNotes } from "./field-notes.tsx";
import { problemsAt } from "./field-problems.ts";
import type { PartProblem } from "./part.ts";

interface ToolsFieldProps {
  /** In the agent's order. */
  readonly chosen: readonly string[];
  /** Undefined where the service does not list them. */
  readonly known: ToolList | undefined;
  readonly problem: PartProblem | undefined;
  readonly onChange: (chosen: readonly string[]) => void;
  /** Absent for those who may try none. */
  readonly onTry: ((tool: string) => void) | undefined;
}

/** The agent's tools, to be chosen by what they do. Those of a tool server are known to the hosts alone, and are typed. */
export function ToolsField({ chosen, known, problem, onChange, onTry }: ToolsFieldProps) {
  const id = useId();
  const [filter, setFilter] = useState("");
  const words = filter.trim().toLowerCase();
  const tools = known?.tools ?? [];
  const strangers = chosen.filter((name) => tools.every((tool) => tool.name !== name));
  const rows = [
    ...strangers.map((name) => ({ name, description: strangerInWords(name, known), changes_something: false })),
    ...tools,
  ];
  const shown = rows.filter(
    ({ name, description }) => words === "" || name.includes(words) || description.toLowerCase().includes(words),
  );
  const isNew = words !== "" && /^[\w-]+$/.test(words) && rows.every(({ name }) => name !== filter.trim());
  const toggle = (name: string, isChosen: boolean): void =>
    onChange(isChosen ? [...chosen, name] : chosen.filter((other) => other !== name));
  const problems = problemsAt(problem, "tools", true);
  return (
    <div className="field" role="group" aria-labelledby={`${id}-label`} aria-describedby={`${id}-about`}>
      <p id={`${id}-label`} className="field-label">
        Tools <span className="hint">{chosen.length === 0 ? "none chosen" : `${chosen.length} chosen`}</span>
      </p>
      <input
        type="search"
        aria-label="Find a tool"
        placeholder="Find a tool by its name or what it does"
        value={filter}
        onChange={({ target }) => setFilter(target.value)}
      />
      <ul className="tool-choice" tabIndex={0} aria-label="Tools">
        {shown.map(({ name, description, changes_something: changesSomething }) => (
          <li key={name}>
            <label>
              <input
                type="checkbox"
                checked={chosen.includes(name)}
                onChange={({ target }) => toggle(name, target.checked)}
              />
              <span>
                <code>{name}</code>
                {changesSomething && <span className="tag">changes something</span>}
                <span className="hint">{description}</span>
              </span>
            </label>
            {onTry !== undefined && (
              <button type="button" className="chip" aria-label={`Try it: ${name}`} onClick={() => onTry(name)}>
                Try it
              </button>
            )}
          </li>
        ))}
        {shown.length === 0 && !isNew && <li className="hint">No tool is like that.</li>}
      </ul>
      {isNew && (
        <button
          type="button"
          className="chip"
          onClick={() => {
            toggle(filter.trim(), true);
            setFilter("");
          }}
        >
          Add {filter.trim()}
        </button>
      )}
      <FieldNotes id={`${id}-about`} problems={problems} hint={serversInWords(known)} />
    </div>
  );
}

function strangerInWords(name: string, known: ToolList | undefined): string {
  const server = known?.tool_servers.find((one) => name.startsWith(`${one}_`));
  if (server !== undefined) return `Of the tool server ${server}.`;
  return known === undefined ? "" : "The service knows no such tool.";
}

function serversInWords(known: ToolList | undefined): string | undefined {
  if (known === undefined || known.tool_servers.length === 0) return undefined;
  return `Tools of ${known.tool_servers.join(", ")} are not listed: type one, such as ${known.tool_servers[0]}_….`;
}
