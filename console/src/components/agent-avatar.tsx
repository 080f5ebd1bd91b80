import { displayName } from "../display-name.ts";

/** As many as styles/agents.css has colours for. */
const COLOURS = 6;

/** The same name has the same colour everywhere, whatever the order in which agents appear. */
export function AgentAvatar({ name }: { readonly name: string }) {
  return (
    <span className="avatar" data-colour={colourOf(name)} aria-hidden="true">
      {displayName(name).charAt(0)}
    </span>
  );
}

function colourOf(name: string): number {
  let hash = 0;
  for (const character of name) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 9973;
  return hash % COLOURS;
}
