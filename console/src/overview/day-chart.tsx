/** Columns for the days of a span, with a part of each marked. The table below has the same figures for who cannot see them. */
interface DayColumn {
  readonly day: string;
  readonly total: number;
  /** The part of the total that is marked; none if absent. */
  readonly marked?: number;
}

interface DayChartProps {
  readonly title: string;
  readonly columns: readonly DayColumn[];
  readonly format: (value: number) => string;
  readonly markedName?: string;
}

const height = 96;
const gap = 0.2;

export function DayChart({ title, columns, format, markedName }: DayChartProps) {
  const greatest = Math.max(1e-9, ...columns.map(({ total }) => total));
  const heightOf = (value: number): number => (value / greatest) * (height - 4);
  const [first, last] = [columns[0], columns.at(-1)];
  return (
    <figure className="day-chart">
      <figcaption>
        {title}{" "}
        <span className="hint">
          most on a day: {format(columns.length === 0 ? 0 : Math.max(...columns.map(({ total }) => total)))}
        </span>
      </figcaption>
      <svg viewBox={`0 0 ${columns.length} ${height}`} preserveAspectRatio="none" aria-hidden="true">
        {columns.map(({ day, total, marked = 0 }, index) => (
          <g key={day}>
            <rect
              className="column"
              x={index + gap / 2}
              width={1 - gap}
              y={height - heightOf(total)}
              height={heightOf(total)}
            >
              <title>{`${day}: ${format(total)}`}</title>
            </rect>
            <rect
              className="column-marked"
              x={index + gap / 2}
              width={1 - gap}
              y={height - heightOf(marked)}
              height={heightOf(marked)}
            />
          </g>
        ))}
      </svg>
      <p className="day-chart-axis" aria-hidden="true">
        <span>{first && shortDay(first.day)}</span>
        <span>{last && last !== first && shortDay(last.day)}</span>
      </p>
      <table className="visually-hidden">
        <caption>{title}</caption>
        <thead>
          <tr>
            <th scope="col">Day</th>
            <th scope="col">{title}</th>
            {markedName !== undefined && <th scope="col">{markedName}</th>}
          </tr>
        </thead>
        <tbody>
          {columns.map(({ day, total, marked = 0 }) => (
            <tr key={day}>
              <th scope="row">{day}</th>
              <td>{format(total)}</td>
              {markedName !== undefined && <td>{format(marked)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  );
}

function shortDay(day: string): string {
  return new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", timeZone: "UTC" }).format(
    Date.parse(day),
  );
}
