interface TooLongProps {
  /** For the field's `aria-describedby`. */
  readonly id: string;
  readonly excess: number;
  readonly limit: number;
  readonly purpose?: string;
}

/**
 * Reports that a text is too long to be used. A limit on the field itself would silently cut pasted text. The number changes with every
 * key, so it is not announced by screen readers.
 */
export function TooLong({ id, excess, limit, purpose = "to be sent" }: TooLongProps) {
  return (
    <p id={id} className="field-problem">
      <span role="alert">
        Too long {purpose}: {limit.toLocaleString()} characters are the limit.
      </span>{" "}
      {excess.toLocaleString()} more than that.
    </p>
  );
}
