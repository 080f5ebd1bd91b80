import { useLayoutEffect, useRef } from "react";

interface ConfirmDialogProps {
  readonly title: string;
  readonly text: string;
  /** The action, as a verb: "End it". */
  readonly confirm: string;
  readonly onConfirm: () => void;
  readonly onCancel: () => void;
}

/** Asks for confirmation before something is lost. It is open while it is rendered. */
export function ConfirmDialog({ title, text, confirm, onConfirm, onCancel }: ConfirmDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  // It is closed before it is removed, so that the browser returns the focus to the element that opened it.
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    return () => shown?.close();
  }, []);
  return (
    <dialog ref={dialog} className="dialog" aria-labelledby="dialog-title" onCancel={onCancel}>
      <h2 id="dialog-title">{title}</h2>
      <p>{text}</p>
      <div className="dialog-buttons">
        <button type="button" className="pill-button" onClick={onCancel}>
          Cancel
        </button>
        <button type="button" className="pill-button pill-primary" onClick={onConfirm}>
          {confirm}
        </button>
      </div>
    </dialog>
  );
}
