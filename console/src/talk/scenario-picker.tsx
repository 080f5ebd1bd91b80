import type { ScenarioInfo } from "../api/service-api.ts";
import { displayName } from "../display-name.ts";

interface ScenarioPickerProps {
  readonly scenarios: readonly ScenarioInfo[];
  readonly selected: string | undefined;
  readonly onSelect: (name: string) => void;
}

export function ScenarioPicker({ scenarios, selected, onSelect }: ScenarioPickerProps) {
  const description = scenarios.find(({ name }) => name === selected)?.description;
  return (
    <label className="picker" title={description}>
      <span>Scenario</span>
      <select
        value={selected ?? ""}
        disabled={scenarios.length === 0}
        onChange={({ target }) => onSelect(target.value)}
      >
        {scenarios.length === 0 && <option value="">Loading…</option>}
        {scenarios.map(({ name }) => (
          <option key={name} value={name}>
            {displayName(name)}
          </option>
        ))}
      </select>
    </label>
  );
}
