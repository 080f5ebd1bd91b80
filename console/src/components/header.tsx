import { BookOpen, LogOut, Menu, Monitor, Moon, Sun, TriangleAlert } from "lucide-react";
import { useState } from "react";

import { formatRoute } from "../route.ts";
import type { Route } from "../route.ts";
import type { Theme } from "../theme.ts";

const pages = [
  { page: "talk", label: "Talk", href: formatRoute({ page: "talk" }) },
  { page: "calls", label: "Calls", href: formatRoute({ page: "calls" }) },
  { page: "live", label: "Live", href: formatRoute({ page: "live" }) },
  { page: "conversations", label: "Conversations", href: formatRoute({ page: "conversations", sessionId: undefined }) },
  { page: "overview", label: "Overview", href: formatRoute({ page: "overview", days: 7 }) },
  { page: "build", label: "Build", href: formatRoute({ page: "build", part: undefined }) },
  { page: "system", label: "System", href: formatRoute({ page: "system" }) },
] as const;

interface HeaderProps {
  /** Undefined before the user has access. */
  readonly page: Route["page"] | undefined;
  /** The page's heading for those who have it read out. */
  readonly title: string;
  readonly problem: string | undefined;
  /** What does not work, in a sentence; undefined while everything does, or nobody knows. */
  readonly trouble?: string | undefined;
  readonly theme: Theme;
  readonly onTheme: (theme: Theme) => void;
  /** Who is signed in, and as what; undefined if there is no sign-in. */
  readonly account?:
    | { readonly name: string | undefined; readonly role: string; readonly onSignOut: () => void }
    | undefined;
}

/** A replay is part of watching conversations. */
function tabOf(page: Route["page"]): Route["page"] {
  return page === "replay" ? "conversations" : page;
}

export function Header({ page, title, problem, trouble, theme, onTheme, account }: HeaderProps) {
  return (
    <>
      <header className="header">
        <button type="button" className="skip-link" onClick={skipToMain}>
          Skip to the content
        </button>
        <a className="brand" href="#talk">
          <img src="/favicon.svg" alt="" width="24" height="24" />
          <span className="brand-name">Voice agents</span>
        </a>
        <h1 className="visually-hidden">{title}</h1>
        {page !== undefined && <Tabs current={tabOf(page)} />}
        <div className="header-end">
          {trouble !== undefined && <HealthMark trouble={trouble} />}
          <ThemeSwitch theme={theme} onTheme={onTheme} />
          <a className="header-link" href="/docs" title="API documentation">
            <BookOpen className="icon" aria-hidden="true" />
            API<span className="header-more"> docs</span>
          </a>
          {account !== undefined && (
            <>
              <span className="header-account">
                {account.name !== undefined && <strong>{account.name}</strong>} {account.role}
              </span>
              <button type="button" className="header-link" onClick={account.onSignOut}>
                <LogOut className="icon" aria-hidden="true" />
                <span className="header-more">Sign out</span>
              </button>
            </>
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

/** A link would change the part of the address that says which page this is. */
function skipToMain(): void {
  const main = document.querySelector("main");
  if (main === null) return;
  if (!main.hasAttribute("tabindex")) main.tabIndex = -1;
  main.focus();
}

/** In a narrow window the pages are in a menu. */
function Tabs({ current }: { readonly current: Route["page"] }) {
  const [isOpen, setIsOpen] = useState(false);
  const label = pages.find(({ page }) => page === current)?.label ?? "Pages";
  return (
    <nav className="tabs" aria-label="Pages" data-open={isOpen}>
      <button type="button" className="tabs-button" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        <Menu className="icon" aria-hidden="true" />
        {label}
      </button>
      <ul onClick={() => setIsOpen(false)}>
        {pages.map(({ page: target, label: name, href }) => (
          <li key={target}>
            <a href={href} aria-current={target === current ? "page" : undefined}>
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

const themes = {
  system: { next: "light", label: "Colours: as the system", icon: Monitor },
  light: { next: "dark", label: "Colours: light", icon: Sun },
  dark: { next: "system", label: "Colours: dark", icon: Moon },
} as const;

function ThemeSwitch({ theme, onTheme }: Pick<HeaderProps, "theme" | "onTheme">) {
  const { next, label, icon: ThemeIcon } = themes[theme];
  return (
    <button type="button" className="header-link" aria-label={label} title={label} onClick={() => onTheme(next)}>
      <ThemeIcon className="icon" aria-hidden="true" />
    </button>
  );
}

/** On every page while something does not work: what, and where it says why. */
function HealthMark({ trouble }: { readonly trouble: string }) {
  return (
    <a className="health-mark" role="alert" href={formatRoute({ page: "system" })} title={trouble}>
      <TriangleAlert className="icon" aria-hidden="true" />
      <span>{trouble}</span>
    </a>
  );
}
