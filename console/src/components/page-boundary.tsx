import { Component } from "react";
import type { ReactNode } from "react";

import { Attempt } from "./on-demand.tsx";

interface PageBoundaryProps {
  /** What is shown; another page gets a fresh attempt. */
  readonly page: string;
  /** The page whose failure is shown; undefined once none is. */
  readonly onFailure: (page: string | undefined) => void;
  readonly children: ReactNode;
}

interface PageBoundaryState {
  readonly failed: string | undefined;
  readonly attempt: number;
}

/**
 * A page that cannot be loaded or drawn takes nothing else with it: the header, a conversation and a phone call stay, with their buttons.
 * Its file may be away for a moment, or for good where a deployment has replaced the files of the page; then a reload gets the new ones.
 */
export class PageBoundary extends Component<PageBoundaryProps, PageBoundaryState> {
  override state: PageBoundaryState = { failed: undefined, attempt: 0 };

  static getDerivedStateFromError(): Partial<PageBoundaryState> {
    return { failed: "" };
  }

  override componentDidCatch(): void {
    const { page, onFailure } = this.props;
    this.setState({ failed: page });
    onFailure(page);
  }

  override componentDidMount(): void {
    window.addEventListener("online", this.#tryAgain);
  }

  override componentDidUpdate({ page }: PageBoundaryProps): void {
    if (page !== this.props.page) this.#tryAgain();
  }

  override componentWillUnmount(): void {
    window.removeEventListener("online", this.#tryAgain);
  }

  readonly #tryAgain = (): void => {
    if (this.state.failed === undefined) return;
    this.setState(({ attempt }) => ({ failed: undefined, attempt: attempt + 1 }));
    this.props.onFailure(undefined);
  };

  override render(): ReactNode {
    const { failed, attempt } = this.state;
    if (failed === undefined) return <Attempt value={attempt}>{this.props.children}</Attempt>;
    return (
      <main className="page page-single">
        <p className="banner banner-error" role="alert">
          This page could not be loaded.
          <button type="button" className="link" onClick={() => window.location.reload()}>
            Reload
          </button>
          <button type="button" className="link" onClick={this.#tryAgain}>
            Try again
          </button>
        </p>
        <p className="hint">
          The connection may be away, or a newer version of this page was installed. A conversation continues after a
          reload.
        </p>
      </main>
    );
  }
}
