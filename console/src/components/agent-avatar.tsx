import { displayName } from "../display-name.ts";

/** As many as styles/agents.css has colours for. */
const colourCount = 6;

/** In the order in which agents are first seen, so that up to six never share a colour. */
const colours = new Map<string, number>();

export function AgentAvatar({ name }: { readonly name: string }) {
  return (
    <span className="avatar" data-colour={colourOf(name)} aria-hidden="true">
      {displayName(name).charAt(0)}
    </span>
  );
}

function colourOf(name: string): number {
  const colour = colours.get(name) ?? colours.size % colourCount;
  colours.set(name, colour);
  return colour;
}
