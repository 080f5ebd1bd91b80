interface FieldProblemProps {
  /** As `describeProblem` words it; nothing is shown while it is undefined. */
  readonly sentence: string | undefined;
}

/** What is wrong with a form or a control, announced by screen readers. */
export function FieldProblem({ sentence }: FieldProblemProps) {
  return (
    sentence !== undefined && (
      <p className="field-problem" role="alert">
        {sentence}
      </p>
    )
  );
}

/** What is wrong with a document's fields. Not announced, because it changes while the user types. */
export function FieldProblems({ sentences }: { readonly sentences: readonly string[] }) {
  return sentences.map((sentence) => (
    <p key={sentence} className="field-problem">
      {sentence}
    </p>
  ));
}
