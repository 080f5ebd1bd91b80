import type { SessionQuery } from "../api/service-api.ts";
import { DayRange } from "../components/day-range.tsx";
import { useFollowedText } from "../use-followed-text.ts";

interface SessionFilterProps {
  readonly query: SessionQuery;
  readonly onChange: (query: SessionQuery) => void;
}

export function SessionFilter({ query, onChange }: SessionFilterProps) {
  const [wanted, setWanted] = useFollowedText(query.search ?? "");
  const change = (part: Partial<SessionQuery>): void => onChange({ ...query, ...part, page: 1 });
  return (
    <form
      className="session-filter"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        change({ search: wanted.trim() === "" ? undefined : wanted.trim() });
      }}
    >
      <label>
        <span className="visually-hidden">Which conversations</span>
        <select value={query.status ?? ""} onChange={({ target }) => change({ status: target.value || undefined })}>
          <option value="">All</option>
          <option value="active">Going on</option>
          <option value="ended">Ended</option>
        </select>
      </label>
      <label>
        <span className="visually-hidden">Channel</span>
        <select value={query.channel ?? ""} onChange={({ target }) => change({ channel: target.value || undefined })}>
          <option value="">Any channel</option>
          <option value="phone">Phone</option>
          <option value="browser">Browser</option>
          <option value="telephony">Telephony</option>
          <option value="media">Media</option>
        </select>
      </label>
      <label className="search">
        <span className="visually-hidden">Number or id</span>
        <input
          type="search"
          value={wanted}
          placeholder="Number or id, then Enter"
          enterKeyHint="search"
          onChange={({ target }) => {
            setWanted(target.value);
            // The cross that empties the field.
            if (target.value === "" && query.search !== undefined) change({ search: undefined });
          }}
        />
      </label>
      <DayRange days={query} onChange={change} />
    </form>
  );
}
