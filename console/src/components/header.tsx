import { formatRoute } from "../route.ts";
import type { Route } from "../route.ts";

const pages = [
  { page: "talk", label: "Talk", href: formatRoute({ page: "talk" }) },
  { page: "watch", label: "Watch", href: formatRoute({ page: "watch", sessionId: undefined }) },
] as const;

interface HeaderProps {
  readonly page: Route["page"];
  readonly problem: string | undefined;
}

export function Header({ page, problem }: HeaderProps) {
  return (
    <>
      <header className="header">
        <a className="brand" href="#talk">
          <img src="/favicon.svg" alt="" width="28" height="28" />
          <h1>Voice agents</h1>
        </a>
        <nav className="tabs" aria-label="Pages">
          {pages.map(({ page: target, label, href }) => (
            <a key={target} href={href} aria-current={target === page ? "page" : undefined}>
              {label}
            </a>
          ))}
        </nav>
        <a className="header-link" href="/docs">
          API docs
        </a>
      </header>
      {problem !== undefined && (
        <p className="banner banner-error" role="alert">
          {problem}
        </p>
      )}
    </>
  );
}
