import { useStore } from "../use-store.ts";
import type { PhoneSession } from "./phone-session.ts";

/** Shown on every page while this browser's phone rings or is in a call. */
export function PhoneBar({ phone }: { readonly phone: PhoneSession }) {
  const { call, from, problem } = useStore(phone.store);
  if (call === "none") return null;
  return (
    <section className="phone-bar" aria-label="Phone">
      <p role={call === "ringing" ? "alert" : "status"}>
        <strong>{inWords(call, from)}</strong>
        {problem !== undefined && <span className="field-problem"> {problem}</span>}
      </p>
      {call === "ringing" && (
        <div>
          <button type="button" className="pill-button pill-primary" onClick={() => void phone.answer()}>
            Answer
          </button>
          <button type="button" className="pill-button pill-end" onClick={() => phone.decline()}>
            Decline
          </button>
        </div>
      )}
      {call !== "ringing" && (
        <button type="button" className="pill-button pill-end" onClick={() => phone.hangUp()}>
          Hang up
        </button>
      )}
    </section>
  );
}

function inWords(call: "ringing" | "calling" | "connecting" | "talking", from: string | undefined): string {
  switch (call) {
    case "ringing":
      return `Your phone rings: ${from ?? "somebody"} calls.`;
    case "calling":
      return "Calling the service…";
    case "connecting":
      return "Picking up…";
    case "talking":
      return "You are on the phone.";
  }
}
