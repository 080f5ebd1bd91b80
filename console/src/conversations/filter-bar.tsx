import { Search, SlidersHorizontal, X } from "lucide-react";
import { useState } from "react";

import { endReasonNames, endingAfterColon } from "../conversation/explain-reason.ts";
import { displayName } from "../display-name.ts";
import { useFollowedText } from "../use-followed-text.ts";
import { isSameFilter, slowAnswerMs } from "../conversation/conversation-filter.ts";
import type { ConversationFilter } from "../conversation/conversation-filter.ts";
import {
  channelNames,
  describeChannel,
  describeOutcome,
  describeRelease,
  outcomeNames,
} from "./describe-conversation.ts";
import type { SavedFilters } from "./saved-filters.ts";
import { SavedMenu } from "./saved-menu.tsx";

interface FilterBarProps {
  readonly filter: ConversationFilter;
  readonly saved: SavedFilters;
  readonly scenarios: readonly string[];
  readonly agents: readonly string[];
  /** Published versions. */
  readonly releases: readonly string[];
  readonly onChange: (filter: ConversationFilter) => void;
}

/** What operators look for most: each is switched on and off by one click, also several together. */
const quick: readonly { readonly label: string; readonly on: ConversationFilter }[] = [
  { label: "Live", on: { outcome: "in_progress" } },
  { label: "Failed", on: { failed: true } },
  { label: "Slow", on: { slow: slowAnswerMs } },
  { label: "Transferred", on: { transferred: true } },
  { label: "Last hour", on: { last: 60 } },
];

const durations: readonly { readonly label: string; readonly filter: Pick<ConversationFilter, "min" | "max"> }[] = [
  { label: "Under 30 s", filter: { max: 30 } },
  { label: "Over 1 min", filter: { min: 60 } },
  { label: "Over 5 min", filter: { min: 300 } },
  { label: "Over 15 min", filter: { min: 900 } },
];

export function FilterBar({ filter, saved, scenarios, agents, releases, onChange }: FilterBarProps) {
  const change = (part: Partial<ConversationFilter>): void => onChange({ ...filter, ...part });
  /** In a narrow window only; a wide one always shows them. */
  const [showsAll, setShowsAll] = useState(false);
  const isFiltered = !isSameFilter(filter, {});
  return (
    <div className="filters">
      <div className="filter-line">
        <SearchField search={filter.search} onSearch={(search) => change({ search })} />
        <div className="quick-filters" role="group" aria-label="Quick filters">
          {quick.map(({ label, on }) => (
            <QuickFilter key={label} label={label} on={on} filter={filter} onChange={onChange} />
          ))}
        </div>
        {isFiltered && (
          <button type="button" className="text-button" onClick={() => onChange({})}>
            <X className="icon" aria-hidden="true" />
            Clear
          </button>
        )}
        <button
          type="button"
          className="text-button more-filters"
          aria-expanded={showsAll}
          onClick={() => setShowsAll(!showsAll)}
        >
          <SlidersHorizontal className="icon" aria-hidden="true" />
          Filters
        </button>
        <SavedMenu filter={filter} saved={saved} canSave={isFiltered} onChange={onChange} />
      </div>
      <Choices
        filter={filter}
        scenarios={scenarios}
        agents={agents}
        releases={releases}
        isShown={showsAll}
        onChange={change}
      />
    </div>
  );
}

interface ChoicesProps extends Pick<FilterBarProps, "filter" | "scenarios" | "agents" | "releases"> {
  readonly isShown: boolean;
  readonly onChange: (part: Partial<ConversationFilter>) => void;
}

function Choices({ filter, scenarios, agents, releases, isShown, onChange }: ChoicesProps) {
  return (
    <div className="filter-line all-filters" data-shown={isShown}>
      <Choice
        label="Channel"
        value={filter.channel}
        of={channelNames}
        describe={describeChannel}
        onChange={(channel) => onChange({ channel })}
      />
      <Choice
        label="Scenario"
        value={filter.scenario}
        of={scenarios}
        describe={displayName}
        onChange={(scenario) => onChange({ scenario })}
      />
      <Choice
        label="Agent"
        value={filter.agent}
        of={agents}
        describe={displayName}
        onChange={(agent) => onChange({ agent })}
      />
      {(releases.length > 1 || filter.release !== undefined) && (
        <Choice
          label="Version"
          value={filter.release}
          of={releases}
          describe={(release) => describeRelease(Number(release))}
          onChange={(release) => onChange({ release })}
        />
      )}
      <Choice
        label="Outcome"
        value={filter.outcome}
        of={outcomeNames}
        describe={describeOutcome}
        onChange={(outcome) => onChange({ outcome })}
      />
      <Choice
        label="End reason"
        value={filter.reason}
        of={endReasonNames}
        describe={endingAfterColon}
        onChange={(reason) => onChange({ reason })}
      />
      <Choice
        label="Duration"
        value={durations.find(({ filter: { min, max } }) => min === filter.min && max === filter.max)?.label}
        of={durations.map(({ label }) => label)}
        describe={(label) => label}
        onChange={(label) => {
          const { min, max } = durations.find((duration) => duration.label === label)?.filter ?? {};
          onChange({ min, max });
        }}
      />
      <TimeField
        label="From"
        value={filter.from}
        max={filter.to}
        onChange={(from) => onChange({ from, last: undefined })}
      />
      <TimeField label="To" value={filter.to} min={filter.from} onChange={(to) => onChange({ to, last: undefined })} />
    </div>
  );
}

interface QuickFilterProps {
  readonly label: string;
  readonly on: ConversationFilter;
  readonly filter: ConversationFilter;
  readonly onChange: (filter: ConversationFilter) => void;
}

function QuickFilter({ label, on, filter, onChange }: QuickFilterProps) {
  const isOn = isSameFilter({ ...filter, ...on }, filter);
  const toggle = (): void => {
    const off = Object.fromEntries(Object.keys(on).map((name) => [name, undefined]));
    onChange({ ...filter, ...(isOn ? off : on) });
  };
  return (
    <button type="button" className="chip" aria-pressed={isOn} onClick={toggle}>
      {label}
    </button>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly of: readonly string[];
  readonly describe: (value: string) => string;
  readonly onChange: (value: string | undefined) => void;
}

function Choice({ label, value, of, describe, onChange }: ChoiceProps) {
  // A shared address may name what this page does not know.
  const values = value === undefined || of.includes(value) ? of : [...of, value];
  return (
    <label className="choice" data-chosen={value !== undefined}>
      <span className="visually-hidden">{label}</span>
      <select value={value ?? ""} onChange={({ target }) => onChange(target.value || undefined)}>
        <option value="">{label}</option>
        {values.map((one) => (
          <option key={one} value={one}>
            {describe(one)}
          </option>
        ))}
      </select>
    </label>
  );
}

function SearchField({
  search,
  onSearch,
}: {
  readonly search: string | undefined;
  readonly onSearch: (text: string | undefined) => void;
}) {
  const [typed, setTyped] = useFollowedText(search ?? "");
  const text = typed.trim();
  return (
    <form
      className="search-field"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        onSearch(text === "" ? undefined : text);
      }}
    >
      <Search className="icon" aria-hidden="true" />
      <label className="visually-hidden" htmlFor="conversation-search">
        Search by number, address or id
      </label>
      <input
        id="conversation-search"
        type="search"
        value={typed}
        placeholder="Number, address or id"
        minLength={2}
        enterKeyHint="search"
        onChange={({ target }) => {
          setTyped(target.value);
          // The cross that empties the field.
          if (target.value === "" && search !== undefined) onSearch(undefined);
        }}
      />
    </form>
  );
}

interface TimeFieldProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly min?: string | undefined;
  readonly max?: string | undefined;
  readonly onChange: (value: string | undefined) => void;
}

function TimeField({ label, value, min, max, onChange }: TimeFieldProps) {
  return (
    <label className="time-field">
      <span>{label}</span>
      <input
        type="datetime-local"
        value={value ?? ""}
        min={min}
        max={max}
        onChange={({ target }) => onChange(target.value || undefined)}
      />
    </label>
  );
}
