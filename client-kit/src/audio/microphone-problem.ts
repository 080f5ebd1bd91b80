/** Explains why there is no microphone, in a sentence that says what to do. */

const goneName = "MicrophoneGone";

/** Browsers have no error for a device that was unplugged while it was open. */
export function microphoneGone(): Error {
  return Object.assign(new Error("the microphone's track has ended"), { name: goneName });
}

const fallback = "The microphone could not be started. You can still type.";

const byErrorName: Readonly<Record<string, string>> = {
  NotAllowedError:
    "The browser does not let this page use the microphone. Allow it in the address bar and try again; you can still type.",
  SecurityError:
    "The browser does not let this page use the microphone. Allow it in the address bar and try again; you can still type.",
  NotFoundError: "No microphone was found. Connect one and try again; you can still type.",
  OverconstrainedError: "No suitable microphone was found. You can still type.",
  [goneName]: "The microphone is gone. Connect it, or choose another, and turn it on again; you can still type.",
  NotReadableError: "Another program is using the microphone. Close it and try again; you can still type.",
};

/** Browsers hide the microphone from pages that were not loaded over HTTPS or from this machine. */
const insecurePage =
  "Browsers only share the microphone with https pages and localhost. Open this page there, or type.";

export function describeMicrophoneProblem(error: unknown, isSecurePage: boolean): string {
  if (!isSecurePage) return insecurePage;
  return (error instanceof Error ? byErrorName[error.name] : undefined) ?? fallback;
}
