import { useEffect, useRef, useState } from "react";
import type { RefObject } from "react";

import type { ConversationView } from "../conversation/conversation-view.ts";
import type { PlayedAt } from "../conversation/timeline.ts";

/** A reader closer to the end than this is assumed to be following. */
const followingPx = 80;

export interface Following {
  readonly list: RefObject<HTMLDivElement | null>;
  /** The reader has scrolled up. */
  readonly isAway: boolean;
  readonly onScroll: () => void;
  readonly toNewest: () => void;
}

interface FollowedPlaces {
  /** What is heard at the moment. */
  readonly played?: PlayedAt | undefined;
  /** An entry to be brought into view; another object for each request. */
  readonly picked?: { readonly entryId: number } | undefined;
  readonly beginsAtStart?: boolean;
}

/** A list that shows its newest entry, unless its reader has scrolled up, or follows what is heard. */
export function useFollowing(view: ConversationView, places: FollowedPlaces | undefined): Following {
  const list = useRef<HTMLDivElement>(null);
  const isFollowing = useRef(places?.beginsAtStart !== true);
  const [isAway, setIsAway] = useState(false);
  const latest = view.entries.at(-1);
  const justTyped = latest?.kind === "user" && latest.isPending ? latest.id : undefined;
  const toNewest = (): void => list.current?.scrollTo({ top: list.current.scrollHeight });
  useEffect(() => {
    // A user who types while reading earlier messages wants to see the answer.
    if (justTyped !== undefined) isFollowing.current = true;
  }, [justTyped]);
  useEffect(() => {
    if (isFollowing.current) toNewest();
    setIsAway(isAwayFromEnd(list.current));
  }, [view.entries, view.interim, view.agentState]);
  useEffect(() => {
    const element = list.current;
    if (element === null) return undefined;
    // A window that becomes lower shows the end as before.
    const observer = new ResizeObserver(() => {
      if (isFollowing.current) element.scrollTo({ top: element.scrollHeight });
      setIsAway(isAwayFromEnd(element));
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const { played, picked } = places ?? {};
  useEffect(() => {
    if (played !== undefined) show(list.current, played.entryId, "[aria-current]");
  }, [played?.entryId, played?.sentence]);
  useEffect(() => {
    if (picked !== undefined) show(list.current, picked.entryId);
  }, [picked]);
  return {
    list,
    isAway,
    toNewest,
    onScroll() {
      isFollowing.current = !isAwayFromEnd(list.current);
      setIsAway(!isFollowing.current);
    },
  };
}

function isAwayFromEnd(list: HTMLElement | null): boolean {
  return list !== null && list.scrollHeight - list.scrollTop - list.clientHeight >= followingPx;
}

/** Only the list scrolls, and only if it has to. */
function show(list: HTMLElement | null, entryId: number, part?: string): void {
  const entry = list?.querySelector(`#entry-${entryId}`);
  const shown = (part === undefined ? undefined : entry?.querySelector(part)) ?? entry;
  if (list === null || shown == null) return;
  const [frame, place] = [list.getBoundingClientRect(), shown.getBoundingClientRect()];
  if (place.top >= frame.top && place.bottom <= frame.bottom) return;
  list.scrollTo({ top: list.scrollTop + place.top - frame.top - frame.height / 3 });
}
