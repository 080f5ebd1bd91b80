import { useId, useState } from "react";

import type { PartProblem } from "./part.ts";
import { FieldNotes } from "./field-notes.tsx";
import { problemsAt } from "./field-problems.ts";
import { readYaml, writeYaml } from "./yaml-text.ts";

interface YamlFieldProps {
  readonly label: string;
  readonly path: string;
  readonly value: unknown;
  readonly hint?: string | undefined;
  readonly problem: PartProblem | undefined;
  readonly onChange: (value: unknown) => void;
}

const longestBox = 18;

/**
 * A part of the document that has no form, as in its file. While the text is no YAML, the document keeps its last value
 * and the field says what is wrong.
 */
export function YamlField({ label, path, value, hint, problem, onChange }: YamlFieldProps) {
  const id = useId();
  const [typed, setTyped] = useState<{ readonly text: string; readonly stands: unknown }>();
  // What was typed counts as long as nobody else has changed the value, such as by undoing all changes.
  const text = typed !== undefined && typed.stands === value ? typed.text : writeYaml(value);
  const read = readYaml(text);
  const problems = read.problem === undefined ? problemsAt(problem, path, false) : [read.problem];
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <textarea
        id={id}
        className="yaml-text"
        value={text}
        spellCheck={false}
        rows={Math.min(longestBox, Math.max(3, text.split("\n").length))}
        aria-invalid={problems.length > 0}
        aria-describedby={`${id}-about`}
        onChange={({ target }) => {
          const next = readYaml(target.value);
          const stands = next.problem === undefined ? next.value : value;
          setTyped({ text: target.value, stands });
          if (next.problem === undefined) onChange(next.value);
        }}
      />
      <FieldNotes id={`${id}-about`} problems={problems} hint={hint} />
    </div>
  );
}
