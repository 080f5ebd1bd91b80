import type { Days } from "../days.ts";

interface DayRangeProps {
  readonly days: Days;
  readonly onChange: (days: Days) => void;
}

/** The days of which a list shows something; folded while none is chosen. */
export function DayRange({ days: { from, to }, onChange }: DayRangeProps) {
  return (
    <details className="day-range" open={from !== undefined || to !== undefined || undefined}>
      <summary>Dates</summary>
      <div>
        <label>
          <span>From</span>
          <input
            type="date"
            value={from ?? ""}
            max={to}
            onChange={({ target }) => onChange({ from: target.value || undefined, to })}
          />
        </label>
        <label>
          <span>To</span>
          <input
            type="date"
            value={to ?? ""}
            min={from}
            onChange={({ target }) => onChange({ from, to: target.value || undefined })}
          />
        </label>
      </div>
    </details>
  );
}
