import type { TurnLatency } from "../conversation/conversation-view.ts";

/** The language model's token usage in this conversation. */
export function TokenPanel({ latencies }: { readonly latencies: readonly TurnLatency[] }) {
  const sum = (mark: string): number => latencies.reduce((total, { metrics }) => total + (metrics[mark] ?? 0), 0);
  const rows = [
    ["Read", sum("input_tokens")],
    ["Of that, cached", sum("cached_tokens")],
    ["Written", sum("output_tokens")],
  ] as const;
  if (rows.every(([, count]) => count === 0)) return null;
  return (
    <section className="panel" aria-labelledby="tokens-title">
      <h2 id="tokens-title">Tokens</h2>
      <dl className="facts">
        {rows
          .filter(([, count]) => count > 0)
          .map(([name, count]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{count.toLocaleString()}</dd>
            </div>
          ))}
      </dl>
    </section>
  );
}
