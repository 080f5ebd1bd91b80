import { useStore } from "../use-store.ts";
import type { SoundSettings, SoundSettingsState } from "./sound-settings.ts";

interface SoundPanelProps {
  readonly settings: SoundSettings;
  readonly onMicrophoneChanged: () => void;
}

export function SoundPanel({ settings, onMicrophoneChanged }: SoundPanelProps) {
  const { microphones, microphoneId, loudspeakers, loudspeakerId, volume } = useStore(settings.store);
  return (
    <details className="panel fold" onToggle={() => void settings.refresh()}>
      <summary>Sound</summary>
      <div className="fields">
        <DeviceMenu
          label="Microphone"
          devices={microphones}
          chosen={microphoneId}
          onChoose={(id) => {
            settings.chooseMicrophone(id);
            onMicrophoneChanged();
          }}
        />
        {loudspeakers.length > 0 && (
          <DeviceMenu
            label="Loudspeaker"
            devices={loudspeakers}
            chosen={loudspeakerId}
            onChoose={(id) => settings.chooseLoudspeaker(id)}
          />
        )}
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

interface DeviceMenuProps {
  readonly label: string;
  readonly devices: SoundSettingsState["microphones"];
  readonly chosen: string | undefined;
  readonly onChoose: (id: string | undefined) => void;
}

/** A device that is gone leaves the system's choice. */
function DeviceMenu({ label, devices, chosen, onChoose }: DeviceMenuProps) {
  const isThere = devices.some(({ id }) => id === chosen);
  return (
    <label>
      <span>{label}</span>
      <select
        value={isThere ? chosen : ""}
        onChange={({ target }) => onChoose(target.value === "" ? undefined : target.value)}
      >
        <option value="">The system’s choice</option>
        {devices
          .filter(({ id }) => id !== "default")
          .map(({ id, label: name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
      </select>
    </label>
  );
}
