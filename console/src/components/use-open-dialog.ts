import { useLayoutEffect, useRef } from "react";
import type { RefObject } from "react";

/** For a dialog that is open while it is rendered. */
export function useOpenDialog(): RefObject<HTMLDialogElement | null> {
  const dialog = useRef<HTMLDialogElement>(null);
  // It is closed before it is removed, so that the browser returns the focus to the element that opened it.
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    return () => shown?.close();
  }, []);
  return dialog;
}
