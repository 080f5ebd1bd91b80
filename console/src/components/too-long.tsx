interface TooLongProps {
  /** For the field's `aria-describedby`. */
  readonly id: string;
  readonly excess: number;
  readonly limit: number;
  readonly purpose?: string;
}

/**
 * Says that a text cannot be used whole. A limit on the field itself would cut what is pasted without a word. The number
 * changes with every key, so it is not read out.
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
