import { TriangleAlert } from "lucide-react";

import { formatRoute } from "../route.ts";

/** On every page while something does not work: what, and where it says why. */
export function HealthMark({ trouble }: { readonly trouble: string }) {
  return (
    <a className="health-mark" role="alert" href={formatRoute({ page: "system" })} title={trouble}>
      <TriangleAlert className="icon" aria-hidden="true" />
      <span>{trouble}</span>
    </a>
  );
}
