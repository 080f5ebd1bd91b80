import { useStore } from "../use-store.ts";
import type { SoundSettings } from "./sound-settings.ts";

interface SoundPanelProps {
  readonly settings: SoundSettings;
  readonly onMicrophoneChanged: () => void;
}

export function SoundPanel({ settings, onMicrophoneChanged }: SoundPanelProps) {
  const { microphones, microphoneId, volume } = useStore(settings.store);
  const isThere = microphones.some(({ id }) => id === microphoneId);
  return (
    <details className="panel fold" onToggle={() => void settings.refresh()}>
      <summary>Sound</summary>
      <div className="fields">
        <label>
          <span>Microphone</span>
          <select
            value={isThere ? microphoneId : ""}
            onChange={({ target }) => {
              settings.chooseMicrophone(target.value === "" ? undefined : target.value);
              onMicrophoneChanged();
            }}
          >
            <option value="">The system’s choice</option>
            {microphones
              .filter(({ id }) => id !== "default")
              .map(({ id, label }) => (
                <option key={id} value={id}>
                  {label}
                </option>
              ))}
          </select>
        </label>
        {microphones.length === 0 && (
          <p className="hint">The browser names the microphones once this page was allowed to use one.</p>
        )}
        <label>
          <span>Volume</span>
          <input
            type="range"
            min="0"
            max="100"
            value={Math.round(volume * 100)}
            aria-valuetext={`${Math.round(volume * 100)} %`}
            onChange={({ target }) => settings.setVolume(Number(target.value) / 100)}
          />
        </label>
      </div>
    </details>
  );
}
