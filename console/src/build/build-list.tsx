import type { CatalogState } from "../catalog/catalog-session.ts";
import { displayName } from "../display-name.ts";
import { formatRoute } from "../route.ts";
import { useStore } from "../use-store.ts";
import type { BuildSession } from "./build-session.ts";
import { keyOf } from "./part.ts";
import type { Part, DocumentKind, PartName } from "./part.ts";
import { NewPartForm } from "./new-part-form.tsx";

interface BuildListProps {
  readonly session: BuildSession;
  readonly catalog: CatalogState;
  readonly selected: PartName | undefined;
  readonly onRetry: () => void;
}

export function BuildList({ session, catalog, selected, onRetry }: BuildListProps) {
  const { agents, parts, listProblem } = useStore(session.store);
  const own = (kind: DocumentKind) =>
    Object.values(parts).filter((part) => part.kind === kind && part.original === undefined);
  return (
    <nav className="sessions" aria-label="Agents and scenarios">
      {listProblem !== undefined && (
        <p className="banner banner-warning" role="status">
          The agents could not be listed: {listProblem}
          <button type="button" className="link" onClick={onRetry}>
            Try again
          </button>
        </p>
      )}
      <h2>Scenarios</h2>
      <PartList kind="scenario" names={[...catalog.scenarios, ...own("scenario")]} selected={selected} parts={parts} />
      <h2>Agents</h2>
      {agents === undefined && listProblem === undefined && <p className="hint">Loading…</p>}
      <PartList kind="agent" names={[...(agents ?? []), ...own("agent")]} selected={selected} parts={parts} />
      <NewPartForm session={session} catalog={catalog} />
    </nav>
  );
}

interface PartListProps {
  readonly kind: DocumentKind;
  readonly names: readonly { readonly name: string }[];
  readonly selected: PartName | undefined;
  readonly parts: Readonly<Record<string, Pick<Part, "isChanged" | "original">>>;
}

function PartList({ kind, names, selected, parts }: PartListProps) {
  return (
    <ul className="build-list">
      {names.map(({ name }) => {
        const key = keyOf({ kind, name });
        const isSelected = selected !== undefined && keyOf(selected) === key;
        return (
          <li key={key}>
            <a
              href={formatRoute({ page: "build", part: { kind, name } })}
              aria-current={isSelected ? "true" : undefined}
            >
              {displayName(name)}
              {parts[key]?.isChanged === true && (
                <span className="tag">{parts[key]?.original === undefined ? "new" : "changed"}</span>
              )}
            </a>
          </li>
        );
      })}
    </ul>
  );
}
