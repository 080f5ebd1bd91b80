import type { ButtonHTMLAttributes } from "react";

interface SteadyButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, "disabled" | "aria-disabled"> {
  /** Pressing it does nothing now, as while the service is asked for what it does. */
  readonly isOff: boolean;
}

/** A button that has the keyboard focus keeps it while it is off; a disabled button would lose it. */
export function SteadyButton({ isOff, onClick, type = "button", ...rest }: SteadyButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      aria-disabled={isOff}
      onClick={(event) => {
        // Enter in a field presses the form's button, too.
        if (isOff) event.preventDefault();
        else onClick?.(event);
      }}
    />
  );
}
