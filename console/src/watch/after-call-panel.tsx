/** What was noted of the conversation once it was over, as its agents' files name it. */
import type { AfterCall } from "../api/service-api.ts";
import { costInWords } from "../conversation/format-cost.ts";
import { displayName } from "../display-name.ts";

export function AfterCallPanel({ noted }: { readonly noted: AfterCall }) {
  const { status, summary, outcome, fields, cost } = noted;
  return (
    <section className="panel" aria-labelledby="after-call-title">
      <h2 id="after-call-title">After the call</h2>
      {status === "failed" ? (
        <p className="hint">What came of it could not be noted: the language model did not answer as asked.</p>
      ) : (
        <>
          {summary && <p>{summary}</p>}
          <dl className="facts">
            <Fact name="Outcome" value={outcome && displayName(outcome)} />
            {Object.entries(fields).map(([name, value]) => (
              <Fact key={name} name={displayName(name)} value={formatValue(value)} />
            ))}
            {cost && <Fact name="Cost of noting this" value={costInWords(cost)} />}
          </dl>
        </>
      )}
    </section>
  );
}

function Fact({ name, value }: { readonly name: string; readonly value: string | null }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value ?? <span className="hint">not known</span>}</dd>
    </div>
  );
}

function formatValue(value: AfterCall["fields"][string]): string | null {
  return typeof value === "boolean" ? (value ? "Yes" : "No") : value === null ? null : String(value);
}
