import { formatRoute } from "../route.ts";
import type { Route } from "../route.ts";

const pages = [
  { page: "talk", label: "Talk", href: formatRoute({ page: "talk" }) },
  { page: "calls", label: "Calls", href: formatRoute({ page: "calls", query: { page: 1 } }) },
  { page: "conversations", label: "Conversations", href: formatRoute({ page: "conversations", sessionId: undefined }) },
  { page: "overview", label: "Overview", href: formatRoute({ page: "overview", days: 7 }) },
  { page: "build", label: "Build", href: formatRoute({ page: "build", part: undefined }) },
  { page: "system", label: "System", href: formatRoute({ page: "system" }) },
] as const;

interface HeaderProps {
  /** Undefined before the user has access. */
  readonly page: Route["page"] | undefined;
  readonly problem: string | undefined;
  /** Undefined if there is no sign-in. */
  readonly onSignOut?: (() => void) | undefined;
}

/** A replay is part of watching conversations. */
function tabOf(page: Route["page"]): Route["page"] {
  return page === "replay" ? "conversations" : page;
}

export function Header({ page, problem, onSignOut }: HeaderProps) {
  return (
    <>
      <header className="header">
        <a className="brand" href="#talk">
          <img src="/favicon.svg" alt="" width="28" height="28" />
          <h1>Voice agents</h1>
        </a>
        {page !== undefined && (
          <nav className="tabs" aria-label="Pages">
            {pages.map(({ page: target, label, href }) => (
              <a key={target} href={href} aria-current={target === tabOf(page) ? "page" : undefined}>
                {label}
              </a>
            ))}
          </nav>
        )}
        <div className="header-end">
          <a className="header-link" href="/docs">
            API<span className="header-more"> docs</span>
          </a>
          {onSignOut !== undefined && (
            <button type="button" className="link" onClick={onSignOut}>
              Sign out
            </button>
          )}
        </div>
      </header>
      {problem !== undefined && (
        <p className="banner banner-error" role="alert">
          {problem}
        </p>
      )}
    </>
  );
}
