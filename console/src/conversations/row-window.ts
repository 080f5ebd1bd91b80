/** Which rows of a long list are drawn: those in view and some around them. All rows are equally high. Pure. */

export interface RowWindow {
  readonly first: number;
  /** Excluded. */
  readonly end: number;
}

/** Above and below, so that a quick movement of the wheel shows no gap. */
const surplus = 12;

export function windowOf(
  { scrollTop, height }: { readonly scrollTop: number; readonly height: number },
  rowHeight: number,
  count: number,
): RowWindow {
  const first = Math.max(0, Math.min(count, Math.floor(scrollTop / rowHeight)) - surplus);
  const end = Math.min(count, Math.ceil((scrollTop + height) / rowHeight) + surplus);
  return { first, end: Math.max(first, end) };
}
