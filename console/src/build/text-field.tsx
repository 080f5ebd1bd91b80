import { useId } from "react";

import { FieldNotes } from "./field-notes.tsx";
import { problemsAt } from "./field-problems.ts";
import type { PartProblem } from "./part.ts";

interface TextFieldProps {
  readonly label: string;
  readonly path: string;
  readonly text: string;
  readonly kind: "line" | "text" | "number" | "lines";
  readonly hint?: string | undefined;
  /** The value that applies if the field is empty. */
  readonly placeholder?: string | undefined;
  readonly suggestions?: readonly string[] | undefined;
  readonly problem: PartProblem | undefined;
  readonly onChange: (text: string) => void;
}

const longestBox = 16;

export function TextField(props: TextFieldProps) {
  const { label, path, text, kind, hint, placeholder, suggestions, problem, onChange } = props;
  const id = useId();
  const problems = problemsAt(problem, path, kind === "lines");
  const common = {
    id,
    value: text,
    placeholder,
    spellCheck: kind === "text",
    "aria-invalid": problems.length > 0,
    "aria-describedby": `${id}-about`,
  };
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {kind === "text" || kind === "lines" ? (
        <textarea
          {...common}
          rows={Math.min(longestBox, Math.max(2, text.split("\n").length + Math.floor(text.length / 200)))}
          onChange={({ target }) => onChange(target.value)}
        />
      ) : (
        <input
          {...common}
          inputMode={kind === "number" ? "decimal" : undefined}
          autoComplete="off"
          list={suggestions === undefined ? undefined : `${id}-list`}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
      {suggestions !== undefined && (
        <datalist id={`${id}-list`}>
          {suggestions.map((value) => (
            <option key={value} value={value} />
          ))}
        </datalist>
      )}
      <FieldNotes id={`${id}-about`} problems={problems} hint={hint} />
    </div>
  );
}
