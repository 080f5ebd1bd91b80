import { useState } from "react";

/** A field's text, which the user types and the address may change: by a link, or by the browser's back button. */
export function useFollowedText(text: string): readonly [string, (typed: string) => void] {
  const [typed, setTyped] = useState(text);
  const [followed, setFollowed] = useState(text);
  if (followed !== text) {
    setFollowed(text);
    setTyped(text);
  }
  return [typed, setTyped];
}
