import { SteadyButton } from "../components/steady-button.tsx";
import { Keypad } from "../components/keypad.tsx";
import type { PhoneSession } from "../phone/phone-session.ts";
import { useStore } from "../use-store.ts";
import { FieldProblem } from "../components/field-problem.tsx";

/** This browser as a phone of the simulated telephone network. */
export function PhonePanel({ phone }: { readonly phone: PhoneSession }) {
  const { own, call, note, problem } = useStore(phone.store);
  return (
    <>
      <section className="panel" aria-labelledby="phone-title">
        <h2 id="phone-title">This browser’s phone</h2>
        <p className="hint">
          The telephone network is simulated, and this page is the phone at <strong>{own}</strong>: call it, or call the
          service from it, and talk by microphone.
        </p>
        <SteadyButton className="pill-button phone-dial" isOff={call !== "none"} onClick={() => void phone.dial()}>
          Call the service
        </SteadyButton>
        <p className="hint" role="status">
          {note}
        </p>
        <FieldProblem sentence={problem} />
      </section>
      {call === "talking" && <Keypad isEnabled onPress={(key) => phone.press(key)} />}
    </>
  );
}
