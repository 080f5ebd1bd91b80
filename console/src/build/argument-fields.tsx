import { useId } from "react";

import type { ArgumentField } from "./tool-arguments.ts";

type Texts = Readonly<Record<string, string>>;

interface ArgumentFieldsProps {
  readonly fields: readonly ArgumentField[];
  readonly texts: Texts;
  readonly onChange: (texts: Texts) => void;
}

export function ArgumentFields({ fields, texts, onChange }: ArgumentFieldsProps) {
  if (fields.length === 0) return <p className="hint">It takes no arguments.</p>;
  return fields.map((field) => (
    <ArgumentInput
      key={field.name}
      field={field}
      text={texts[field.name] ?? ""}
      onChange={(text) => onChange({ ...texts, [field.name]: text })}
    />
  ));
}

interface ArgumentInputProps {
  readonly field: ArgumentField;
  readonly text: string;
  readonly onChange: (text: string) => void;
}

function ArgumentInput({ field: { name, kind, choices, isRequired, hint }, text, onChange }: ArgumentInputProps) {
  const id = useId();
  const common = { id, value: text, "aria-describedby": `${id}-about` };
  return (
    <div className="field">
      <label htmlFor={id}>
        {name}
        {!isRequired && " (optional)"}
      </label>
      {choices.length > 0 ? (
        <select {...common} onChange={({ target }) => onChange(target.value)}>
          <option value="">–</option>
          {choices.map((choice) => (
            <option key={choice}>{choice}</option>
          ))}
        </select>
      ) : kind === "json" ? (
        <textarea {...common} className="yaml-text" rows={3} onChange={({ target }) => onChange(target.value)} />
      ) : (
        <input
          {...common}
          autoComplete="off"
          inputMode={kind === "number" ? "decimal" : undefined}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
      <p id={`${id}-about`} className="hint">
        {[hint, kind === "json" ? "As JSON." : undefined].filter((part) => part !== undefined).join(" ")}
      </p>
    </div>
  );
}
