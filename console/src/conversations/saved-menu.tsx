import { Bookmark, X } from "lucide-react";
import { useState } from "react";

import type { ConversationFilter } from "../conversation/conversation-filter.ts";
import { useStore } from "../use-store.ts";
import type { SavedFilters } from "./saved-filters.ts";

interface SavedMenuProps {
  readonly filter: ConversationFilter;
  readonly saved: SavedFilters;
  readonly canSave: boolean;
  readonly onChange: (filter: ConversationFilter) => void;
}

/** The filters that this person has given names to, and a field that names the present ones. */
export function SavedMenu({ filter, saved, canSave, onChange }: SavedMenuProps) {
  const all = useStore(saved.store);
  const [name, setName] = useState("");
  return (
    <details className="menu">
      <summary>
        <Bookmark className="icon" aria-hidden="true" />
        {saved.nameOf(filter) ?? "Saved filters"}
      </summary>
      <div className="menu-content">
        {all.length === 0 && <p className="hint">None yet. Choose some filters, and give them a name.</p>}
        <ul>
          {all.map((one) => (
            <li key={one.name}>
              <button type="button" className="text-button" onClick={() => onChange(one.filter)}>
                {one.name}
              </button>
              <button
                type="button"
                className="text-button"
                aria-label={`Remove ${one.name}`}
                onClick={() => saved.remove(one.name)}
              >
                <X className="icon" aria-hidden="true" />
              </button>
            </li>
          ))}
        </ul>
        {canSave && (
          <form
            onSubmit={(event) => {
              event.preventDefault();
              if (name.trim() === "") return;
              saved.save(name.trim(), filter);
              setName("");
            }}
          >
            <label>
              <span className="visually-hidden">Name of these filters</span>
              <input
                value={name}
                maxLength={40}
                placeholder="Name of these filters"
                onChange={({ target }) => setName(target.value)}
              />
            </label>
            <button type="submit" className="small-button">
              Save
            </button>
          </form>
        )}
      </div>
    </details>
  );
}
