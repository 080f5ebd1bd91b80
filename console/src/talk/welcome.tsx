import { Mic } from "lucide-react";

import { SteadyButton } from "../components/steady-button.tsx";
import { Trouble } from "../components/trouble.tsx";

interface WelcomeProps {
  /** Why nothing can begin now; undefined while it can. */
  readonly trouble: string | undefined;
  readonly onStart: () => void;
}

export function Welcome({ trouble, onStart }: WelcomeProps) {
  return (
    <div className="welcome">
      <h2>Talk to the agents</h2>
      <p>
        Press the button and speak, or type below. An agent answers aloud, looks things up and hands you on to a
        colleague.
      </p>
      <SteadyButton
        className="hero-button"
        isOff={trouble !== undefined}
        aria-describedby={trouble && "trouble"}
        onClick={onStart}
      >
        <Mic className="icon" aria-hidden="true" />
        Start talking
      </SteadyButton>
      {trouble !== undefined && <Trouble sentence={trouble} />}
    </div>
  );
}
