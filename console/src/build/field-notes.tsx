import { FieldProblems } from "../components/field-problem.tsx";

interface FieldNotesProps {
  /** Named by the field's `aria-describedby`. */
  readonly id: string;
  readonly problems: readonly string[];
  readonly hint: string | undefined;
}

/** What is wrong with a field, and what belongs into it. */
export function FieldNotes({ id, problems, hint }: FieldNotesProps) {
  return (
    <div id={id}>
      <FieldProblems sentences={problems} />
      {hint !== undefined && <p className="hint">{hint}</p>}
    </div>
  );
}
