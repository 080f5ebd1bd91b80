import { useState } from "react";

import type { CallRequest } from "../api/calls-api.ts";
import type { ScenarioInfo } from "../api/service-api.ts";
import { SteadyButton } from "../components/steady-button.tsx";
import { Trouble } from "../components/trouble.tsx";
import { displayName } from "../display-name.ts";
import type { SimulatedPhone } from "../phone/phone-messages.ts";
import { useKeptText } from "../use-kept-text.ts";

const voicemails = [
  { value: "", label: "As the service is set" },
  { value: "hang-up", label: "Hang up" },
  { value: "message", label: "Leave a message" },
  { value: "ignore", label: "Talk to it" },
] as const;

interface PlaceFormProps {
  readonly scenarios: readonly ScenarioInfo[];
  readonly defaultScenario: string | undefined;
  /** The available numbers, if the telephone network is simulated. */
  readonly phones: readonly SimulatedPhone[];
  readonly isBusy: boolean;
  /** Why no call can be placed now; undefined while one can. */
  readonly trouble: string | undefined;
  readonly onPlace: (request: CallRequest) => Promise<void>;
}

export function PlaceForm({ scenarios, defaultScenario, phones, isBusy, trouble, onPlace }: PlaceFormProps) {
  const [number, setNumber] = useKeptText("number");
  const [scenario, setScenario] = useState<string>();
  const [voicemail, setVoicemail] = useState<string>("");
  const asDialled = number.replaceAll(/[\s().-]/g, "");
  return (
    <section className="panel" aria-labelledby="place-title">
      <h2 id="place-title">Place a call</h2>
      <form
        className="fields"
        onSubmit={(event) => {
          event.preventDefault();
          void onPlace({ number: asDialled, scenario, voicemail: voicemail || undefined });
        }}
      >
        <label>
          <span>Number</span>
          <input
            type="tel"
            value={number}
            placeholder="+12025550123"
            autoComplete="tel"
            onChange={({ target }) => setNumber(target.value)}
          />
        </label>
        {phones.length > 0 && (
          <fieldset className="phones">
            <legend>Simulated phones</legend>
            {phones.map(({ number: simulated, about }) => (
              <button
                key={simulated}
                type="button"
                className="chip"
                title={simulated}
                aria-pressed={simulated === asDialled}
                onClick={() => setNumber(simulated)}
              >
                {about}
              </button>
            ))}
          </fieldset>
        )}
        <label>
          <span>Scenario</span>
          <select
            value={scenario ?? defaultScenario ?? ""}
            onChange={({ target }) => setScenario(target.value || undefined)}
          >
            {scenarios.map(({ name }) => (
              <option key={name} value={name}>
                {displayName(name)}
              </option>
            ))}
          </select>
        </label>
        <label>
          <span>If an answering machine takes it</span>
          <select value={voicemail} onChange={({ target }) => setVoicemail(target.value)}>
            {voicemails.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </label>
        <SteadyButton
          type="submit"
          className="pill-button pill-primary"
          isOff={isBusy || asDialled === "" || trouble !== undefined}
        >
          Call
        </SteadyButton>
        {trouble !== undefined && <Trouble sentence={trouble} />}
      </form>
    </section>
  );
}
