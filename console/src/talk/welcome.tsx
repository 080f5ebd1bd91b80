import { MicrophoneIcon } from "../components/icons.tsx";

export function Welcome({ onStart }: { readonly onStart: () => void }) {
  return (
    <div className="welcome">
      <h2>Talk to the agents</h2>
      <p>
        Press the button and speak, or type below. An agent answers aloud, looks things up and hands you on to a
        colleague.
      </p>
      <button type="button" className="hero-button" onClick={onStart}>
        <MicrophoneIcon />
        Start talking
      </button>
    </div>
  );
}
