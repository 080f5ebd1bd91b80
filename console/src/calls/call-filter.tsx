import { useState } from "react";

import type { CallQuery } from "../api/calls-api.ts";

const statuses = [
  { status: undefined, label: "All calls" },
  { status: "ringing", label: "Ringing" },
  { status: "connected", label: "Talking" },
  { status: "on_hold", label: "On hold" },
  { status: "disconnected", label: "Ended" },
  { status: "failed", label: "Failed" },
] as const;

interface CallFilterProps {
  readonly query: CallQuery;
  readonly onChange: (query: CallQuery) => void;
}

export function CallFilter({ query: { status, search }, onChange }: CallFilterProps) {
  const [wanted, setWanted] = useState(search ?? "");
  return (
    <form
      className="call-filter"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        onChange({ page: 1, status, search: wanted.trim() === "" ? undefined : wanted.trim() });
      }}
    >
      <label>
        <span className="visually-hidden">Which calls</span>
        <select
          value={status ?? ""}
          onChange={({ target }) => onChange({ page: 1, search, status: target.value || undefined })}
        >
          {statuses.map(({ status: value = "", label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </label>
      <label className="call-search">
        <span className="visually-hidden">Number or call id</span>
        <input
          type="search"
          value={wanted}
          placeholder="Number or call id"
          onChange={({ target }) => setWanted(target.value)}
        />
      </label>
      <button type="submit" className="pill-button">
        Find
      </button>
    </form>
  );
}
