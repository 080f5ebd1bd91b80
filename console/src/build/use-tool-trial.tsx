import { useEffect, useMemo, useState } from "react";
import type { ReactNode } from "react";

import type { Console } from "../create-console.ts";
import { useStore } from "../use-store.ts";
import { ToolTrialDialog } from "./tool-trial-dialog.tsx";
import { ToolTrialSession } from "./tool-trial-session.ts";
import type { TriedTool } from "./tool-trial-session.ts";

interface ToolTrial {
  readonly start: (tried: TriedTool) => void;
  readonly dialog: ReactNode;
}

/** What tools remember lasts for as long as the page is shown. */
export function useToolTrial({ toolTrials, customers }: Pick<Console, "toolTrials" | "customers">): ToolTrial {
  const [tried, setTried] = useState<TriedTool>();
  const session = useMemo(() => new ToolTrialSession(toolTrials), [toolTrials]);
  useEffect(() => () => session.close(), [session]);
  const { customer } = useStore(customers.store);
  const dialog = tried && (
    <ToolTrialDialog
      session={session}
      tried={tried}
      customer={customer && { id: customer.profile_id, name: customer.name }}
      onClose={() => setTried(undefined)}
    />
  );
  return { start: setTried, dialog };
}
