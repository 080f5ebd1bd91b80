/** What the browser shows of a tab that the user does not have in front of them. */
import { useEffect } from "react";

interface TabState {
  readonly page: string;
  /** The simulated network calls, and this tab rings. */
  readonly isRinging: boolean;
  /** How many live conversations need somebody; 0 where the wall is not open. */
  readonly needyCount: number;
}

export function markOf({ page, isRinging, needyCount }: TabState): { readonly title: string; readonly icon: string } {
  const count = needyCount === 0 ? "" : `(${needyCount}) `;
  return {
    title: `${count}${isRinging ? "Your phone rings" : page} – Voice agents`,
    icon: isRinging || needyCount > 0 ? "/favicon-alert.svg" : "/favicon.svg",
  };
}

export function useTabMark({ page, isRinging, needyCount }: TabState): void {
  useEffect(() => {
    const { title, icon } = markOf({ page, isRinging, needyCount });
    document.title = title;
    const link = document.querySelector("link[rel=icon]");
    // Setting it anew would load it again.
    if (link?.getAttribute("href") !== icon) link?.setAttribute("href", icon);
  }, [page, isRinging, needyCount]);
}
