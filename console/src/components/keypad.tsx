const keys = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "*", "0", "#"];

const spoken: Readonly<Record<string, string>> = { "*": "star", "#": "hash" };

interface KeypadProps {
  readonly isEnabled: boolean;
  readonly onPress: (key: string) => void;
}

/** The keys of a telephone. */
export function Keypad({ isEnabled, onPress }: KeypadProps) {
  return (
    <details className="panel fold">
      <summary>Keypad</summary>
      <div className="keypad">
        {keys.map((key) => (
          <button
            key={key}
            type="button"
            disabled={!isEnabled}
            aria-label={spoken[key] ?? key}
            onClick={() => onPress(key)}
          >
            {key}
          </button>
        ))}
      </div>
      {!isEnabled && <p className="hint">Keys can be pressed during a conversation.</p>}
    </details>
  );
}
