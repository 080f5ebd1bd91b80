import { useOpenDialog } from "./use-open-dialog.ts";

interface ConfirmDialogProps {
  readonly title: string;
  readonly text: string;
  /** The action, as a verb: "End conversation". */
  readonly confirm: string;
  /** Something goes on for everybody after it, and nothing is lost. */
  readonly isHarmless?: boolean;
  readonly onConfirm: () => void;
  readonly onCancel: () => void;
}

/** Asks for confirmation before something is lost. It is open while it is rendered. */
export function ConfirmDialog({ title, text, confirm, isHarmless = false, onConfirm, onCancel }: ConfirmDialogProps) {
  const dialog = useOpenDialog();
  return (
    <dialog ref={dialog} className="dialog" aria-labelledby="dialog-title" onCancel={onCancel}>
      <h2 id="dialog-title">{title}</h2>
      <p>{text}</p>
      <div className="dialog-buttons">
        <button type="button" className="pill-button" onClick={onCancel}>
          Cancel
        </button>
        <button
          type="button"
          className={`pill-button ${isHarmless ? "pill-primary" : "pill-danger"}`}
          onClick={onConfirm}
        >
          {confirm}
        </button>
      </div>
    </dialog>
  );
}
