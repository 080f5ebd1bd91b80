import { formatRoute } from "../route.ts";

/** Beside a button that does nothing now: why, and where there is more about it. */
export function Trouble({ sentence }: { readonly sentence: string }) {
  return (
    <p id="trouble" className="trouble">
      {sentence} <a href={formatRoute({ page: "system" })}>See System</a>
    </p>
  );
}
