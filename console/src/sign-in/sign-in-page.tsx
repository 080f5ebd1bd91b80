import type { SignInState } from "./sign-in-session.ts";

interface SignInPageProps {
  readonly state: Exclude<SignInState, { kind: "open" | "signed-in" }>;
  readonly onSignIn: () => void;
  readonly onSignOut: () => void;
}

/** Shown in place of every page until the user is known to have access. */
export function SignInPage({ state, onSignIn, onSignOut }: SignInPageProps) {
  return (
    <main className="page page-single">
      <section className="stage" aria-label="Sign in">
        <div className="welcome">{content(state, onSignIn, onSignOut)}</div>
      </section>
    </main>
  );
}

function content(state: SignInPageProps["state"], onSignIn: () => void, onSignOut: () => void) {
  switch (state.kind) {
    case "checking":
      return <p role="status">{state.problem ?? "Connecting to the service…"}</p>;
    case "impossible":
      return (
        <>
          <h2>Nobody can sign in here</h2>
          <p>
            The service asks for a token, and no sign-in is set up for this page. The administrator sets{" "}
            <code>SIGN_IN_CLIENT_ID</code> to the page’s own registration with the OpenID provider.
          </p>
        </>
      );
    case "not-allowed":
      return (
        <>
          <h2>You are signed in, but not allowed in</h2>
          <p role="alert">
            The service does not let this account in. Ask whoever runs it for access, or sign in as somebody else.
          </p>
          <button type="button" className="hero-button" onClick={onSignOut}>
            Sign in as somebody else
          </button>
        </>
      );
    case "signed-out":
      return (
        <>
          <h2>Sign in to go on</h2>
          {state.problem === undefined ? (
            <p>This service is for people who are known to it.</p>
          ) : (
            <p role="alert">{state.problem}</p>
          )}
          <button type="button" className="hero-button" onClick={onSignIn}>
            Sign in
          </button>
        </>
      );
    default:
      return state satisfies never;
  }
}
