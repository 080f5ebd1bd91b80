import { useState } from "react";
import type { FormEvent } from "react";

import type { CatalogState } from "../catalog/catalog-session.ts";
import { formatRoute } from "../route.ts";
import type { BuildSession } from "./build-session.ts";
import type { DocumentKind } from "./part.ts";
import { FieldProblem } from "../components/field-problem.tsx";

interface NewPartFormProps {
  readonly session: BuildSession;
  readonly catalog: CatalogState;
}

/** The names that the service accepts. */
const namePattern = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;

export function NewPartForm({ session, catalog }: NewPartFormProps) {
  const [name, setName] = useState("");
  const [problem, setProblem] = useState<string>();
  const make = (kind: DocumentKind): void => {
    if (!namePattern.test(name)) {
      setProblem("A name begins with a letter and has letters, digits, _ and - only.");
      return;
    }
    const [first] = catalog.agents;
    const document =
      kind === "agent"
        ? { name, description: `${name}.`, prompt: "You answer calls. Keep it short." }
        : {
            name,
            description: `${name}.`,
            agents: first ? [first.name] : [],
            start_agent: first?.name ?? "",
            handoffs: [],
          };
    if (!session.create({ kind, name }, document)) {
      setProblem("There is one of this name.");
      return;
    }
    setProblem(undefined);
    setName("");
    window.location.hash = formatRoute({ page: "build", part: { kind, name } });
  };
  return (
    <form
      className="fields new-part"
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        make("agent");
      }}
    >
      <label>
        <span>New name</span>
        <input
          value={name}
          autoComplete="off"
          placeholder="night-desk"
          onChange={({ target }) => setName(target.value)}
        />
      </label>
      <FieldProblem sentence={problem} />
      <div className="new-part-buttons">
        <button type="submit" className="chip" disabled={name === ""}>
          New agent
        </button>
        <button type="button" className="chip" disabled={name === ""} onClick={() => make("scenario")}>
          New scenario
        </button>
      </div>
    </form>
  );
}
