import type { CallQuery } from "../api/calls-api.ts";
import { DayRange } from "../components/day-range.tsx";
import { useFollowedText } from "../use-followed-text.ts";

interface Choice {
  readonly label: string;
  readonly status?: string;
  readonly outcome?: string;
}

/** What a call is doing or what became of it: the service filters by one or the other. */
const choices: readonly { readonly title: string; readonly choices: readonly Choice[] }[] = [
  {
    title: "Going on",
    choices: [
      { outcome: "in_progress", label: "All that go on" },
      { status: "ringing", label: "Ringing" },
      { status: "connected", label: "Talking" },
      { status: "on_hold", label: "On hold" },
    ],
  },
  {
    title: "Over",
    choices: [
      { outcome: "completed", label: "Ended" },
      { outcome: "busy", label: "Busy" },
      { outcome: "declined", label: "Declined" },
      { outcome: "no_answer", label: "Nobody answered" },
      { outcome: "failed", label: "Failed" },
    ],
  },
];

const valueOf = ({ status, outcome }: Pick<CallQuery, "status" | "outcome">): string =>
  status === undefined ? (outcome ?? "") : `status ${status}`;

interface CallFilterProps {
  readonly query: CallQuery;
  readonly onChange: (query: CallQuery) => void;
}

export function CallFilter({ query, onChange }: CallFilterProps) {
  const [wanted, setWanted] = useFollowedText(query.search ?? "");
  const change = (part: Partial<CallQuery>): void => onChange({ ...query, ...part, page: 1 });
  const all = choices.flatMap((group) => group.choices);
  return (
    <form
      className="call-filter"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        change({ search: wanted.trim() === "" ? undefined : wanted.trim() });
      }}
    >
      <label>
        <span className="visually-hidden">Which calls</span>
        <select
          value={valueOf(query)}
          onChange={({ target }) => {
            const { status, outcome } = all.find((choice) => valueOf(choice) === target.value) ?? {};
            change({ status, outcome });
          }}
        >
          <option value="">All calls</option>
          {choices.map((group) => (
            <optgroup key={group.title} label={group.title}>
              {group.choices.map((choice) => (
                <option key={choice.label} value={valueOf(choice)}>
                  {choice.label}
                </option>
              ))}
            </optgroup>
          ))}
        </select>
      </label>
      <label>
        <span className="visually-hidden">Direction</span>
        <select
          value={query.direction ?? ""}
          onChange={({ target }) => change({ direction: target.value || undefined })}
        >
          <option value="">Any direction</option>
          <option value="inbound">Incoming</option>
          <option value="outbound">Outgoing</option>
        </select>
      </label>
      <label className="call-search">
        <span className="visually-hidden">Number or call id</span>
        <input
          type="search"
          value={wanted}
          placeholder="Number or id"
          onChange={({ target }) => setWanted(target.value)}
        />
      </label>
      <button type="submit" className="pill-button">
        Find
      </button>
      <DayRange days={query} onChange={change} />
    </form>
  );
}
