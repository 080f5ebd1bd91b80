import { useId } from "react";

import { useKeptText } from "../use-kept-text.ts";
import { SteadyButton } from "./steady-button.tsx";

interface TransferFormProps {
  /** The id of the call or of its conversation. */
  readonly about: string;
  readonly isBusy: boolean;
  /** The default target. */
  readonly initial?: string | undefined;
  readonly onTransfer: (number: string) => void;
}

export function TransferForm({ about, isBusy, initial = "", onTransfer }: TransferFormProps) {
  const [number, setNumber] = useKeptText(`transfer ${about}`, initial);
  const id = useId();
  return (
    <form
      className="operator-form"
      onSubmit={(event) => {
        event.preventDefault();
        onTransfer(number.trim());
      }}
    >
      <label className="visually-hidden" htmlFor={id}>
        Transfer the call to
      </label>
      <input
        id={id}
        type="tel"
        value={number}
        placeholder="+12025550186"
        size={12}
        autoComplete="tel"
        onChange={({ target }) => setNumber(target.value)}
      />
      <SteadyButton type="submit" className="pill-button" isOff={isBusy || number.trim() === ""}>
        Transfer
      </SteadyButton>
    </form>
  );
}
