import { useState } from "react";

interface CopyButtonProps {
  readonly label: string;
  readonly text: () => string;
}

export function CopyButton({ label, text }: CopyButtonProps) {
  const [outcome, setOutcome] = useState<string>();
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text());
      setOutcome("Copied");
    } catch {
      setOutcome("The browser does not let this page copy");
    }
  };
  return (
    <button type="button" className="link" onClick={() => void copy()}>
      {outcome ?? label}
    </button>
  );
}
