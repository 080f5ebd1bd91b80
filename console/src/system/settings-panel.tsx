import { useState } from "react";

import type { SystemSetting } from "../api/system-api.ts";
import { settingInWords } from "./describe-system.ts";

/** Shows the settings that have been set, and all of them on demand. */
export function SettingsPanel({ settings }: { readonly settings: readonly SystemSetting[] }) {
  const [wanted, setWanted] = useState("");
  const [showsAll, setShowsAll] = useState(false);
  const words = wanted.trim().toLowerCase();
  const shown = settings
    .filter(({ is_changed: isChanged }) => showsAll || isChanged || words !== "")
    .filter(({ name, about, area }) => `${name} ${about} ${area}`.toLowerCase().includes(words));
  return (
    <section className="panel settings" aria-labelledby="settings-title">
      <h2 id="settings-title">Settings</h2>
      <div className="settings-filter">
        <label>
          <span className="visually-hidden">Find a setting</span>
          <input
            type="search"
            value={wanted}
            placeholder="Find a setting"
            onChange={({ target }) => setWanted(target.value)}
          />
        </label>
        <label>
          <input type="checkbox" checked={showsAll} onChange={({ target }) => setShowsAll(target.checked)} /> Also those
          that have their default
        </label>
      </div>
      {shown.length === 0 && (
        <p className="hint">
          {words === ""
            ? "Nobody has set anything: all settings have their defaults."
            : "No setting has these words in its name or its description."}
        </p>
      )}
      <ul className="checks">
        {shown.map((setting) => (
          <li key={setting.name} data-changed={setting.is_changed}>
            <strong>
              <code>{setting.name}</code>
            </strong>
            <span>{valueInWords(setting)}</span>
            <span className="hint">{setting.about}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function valueInWords({ name, value, is_secret: isSecret, is_changed: isChanged }: SystemSetting): string {
  if (isSecret) return isChanged ? "set, and not shown" : "not set";
  return value === null ? "not set" : settingInWords(name, value);
}
