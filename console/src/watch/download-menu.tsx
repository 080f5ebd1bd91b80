import { useState } from "react";

import { describeProblem } from "../api/api-problem.ts";
import { downloadFile } from "../components/download-file.ts";

interface DownloadMenuProps {
  readonly sessionId: string;
  readonly isRecorded: boolean;
  readonly read: (sessionId: string, what: string) => Promise<Blob>;
}

/** A conversation as files. Each is requested with the user's token, which a plain link would not have. */
export function DownloadMenu({ sessionId, isRecorded, read }: DownloadMenuProps) {
  const [news, setNews] = useState<{ readonly text: string; readonly isProblem: boolean }>();
  const files = [
    { label: "Text", hint: "what was said, a line for each", what: "/transcript/text", ending: "txt" },
    { label: "JSON", hint: "history, tools, failures, usage", what: "", ending: "json" },
    {
      label: "Captions",
      hint: "WebVTT",
      what: isRecorded ? "/recording/captions" : "/transcript/captions",
      ending: "vtt",
    },
    ...(isRecorded ? [{ label: "Recording", hint: "WAV, both sides", what: "/recording", ending: "wav" }] : []),
    {
      label: "Flight record",
      hint: "decisions, tools, handoffs, model requests",
      what: "/flight-record",
      ending: "flight.json",
    },
  ];
  const download = async (what: string, ending: string): Promise<void> => {
    setNews({ text: "Loading…", isProblem: false });
    try {
      downloadFile(`${sessionId}.${ending}`, await read(sessionId, what));
      setNews(undefined);
    } catch (error) {
      setNews({ text: describeProblem(error), isProblem: true });
    }
  };
  return (
    <details className="menu">
      <summary className="pill-button">Download</summary>
      <div className="menu-items">
        {files.map(({ label, hint, what, ending }) => (
          <button key={ending} type="button" onClick={() => void download(what, ending)}>
            {label} <span className="hint">{hint}</span>
          </button>
        ))}
        {news !== undefined && (
          <p className={news.isProblem ? "field-problem" : "hint"} role={news.isProblem ? "alert" : "status"}>
            {news.text}
          </p>
        )}
      </div>
    </details>
  );
}
