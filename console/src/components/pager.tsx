import { SteadyButton } from "./steady-button.tsx";

interface PagerProps {
  /** Of what: "calls". */
  readonly what: string;
  /** 1-based. */
  readonly page: number;
  readonly perPage: number;
  readonly total: number;
  readonly onPage: (page: number) => void;
}

export function Pager({ what, page, perPage, total, onPage }: PagerProps) {
  const first = (page - 1) * perPage + 1;
  return (
    <nav className="pager" aria-label={`Pages of ${what}`}>
      <SteadyButton className="pill-button" isOff={page <= 1} onClick={() => onPage(page - 1)}>
        Newer
      </SteadyButton>
      <span className="hint">
        {first.toLocaleString()}–{Math.min(page * perPage, total).toLocaleString()} of {total.toLocaleString()}
      </span>
      <SteadyButton className="pill-button" isOff={page * perPage >= total} onClick={() => onPage(page + 1)}>
        Older
      </SteadyButton>
    </nav>
  );
}
