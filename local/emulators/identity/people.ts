/**
 * Interactive sign-in: authorization code with PKCE, as an OpenID provider does it for a public client (RFC 6749,
 * sections 4.1 and 6; RFC 7636). Instead of asking for a password, the page has a link for each person.
 */
import { createHash, randomUUID } from "node:crypto";

export interface Person {
  readonly name: string;
  readonly subject: string;
  readonly roles: readonly string[];
  /** The application that the token is for, if it is not the client itself. */
  readonly azp?: string;
}

export interface Grant {
  readonly person: Person;
  readonly clientId: string;
  readonly scope: string;
}

export type Exchange = { readonly grant: Grant; readonly refreshToken: string } | { readonly error: string };

interface WaitingGrant extends Grant {
  readonly redirectUri: string;
  readonly challenge: string;
}

export class PeopleSigningIn {
  readonly #people: readonly Person[];
  readonly #codes = new Map<string, WaitingGrant>();
  readonly #refreshTokens = new Map<string, Grant>();

  constructor(people: readonly Person[]) {
    this.#people = people;
  }

  /** The page on which people choose who they are. */
  page(url: URL): string {
    const links = this.#people.map(({ name }) => {
      const chosen = new URL(url);
      chosen.searchParams.set("as", name);
      return `<li><a href="${escape(chosen.pathname + chosen.search)}">${escape(name)}</a></li>`;
    });
    return `<!doctype html><html lang="en"><link rel="icon" href="data:,"><title>Sign in</title><h1>Who are you?</h1><ul>${links.join("")}</ul></html>`;
  }

  /** Where the browser is redirected; undefined while nobody was chosen, or if the request is invalid. */
  authorize(query: URLSearchParams): URL | undefined {
    const person = this.#people.find(({ name }) => name === query.get("as"));
    const redirectUri = URL.parse(query.get("redirect_uri") ?? "");
    const isCode = query.get("response_type") === "code" && query.get("code_challenge_method") === "S256";
    if (person === undefined || redirectUri === null || !isCode) return undefined;
    const code = randomUUID();
    this.#codes.set(code, {
      person,
      clientId: query.get("client_id") ?? "",
      scope: query.get("scope") ?? "",
      redirectUri: redirectUri.href,
      challenge: query.get("code_challenge") ?? "",
    });
    redirectUri.searchParams.set("code", code);
    redirectUri.searchParams.set("state", query.get("state") ?? "");
    return redirectUri;
  }

  exchange(form: URLSearchParams): Exchange {
    const grant = form.get("grant_type") === "refresh_token" ? this.#refreshed(form) : this.#redeemed(form);
    if (grant === undefined || grant.clientId !== form.get("client_id")) return { error: "invalid_grant" };
    const refreshToken = randomUUID();
    this.#refreshTokens.set(refreshToken, grant);
    return { grant, refreshToken };
  }

  /** From now on everybody has to sign in again to get a token. */
  forget(): void {
    this.#refreshTokens.clear();
  }

  #refreshed(form: URLSearchParams): Grant | undefined {
    const token = form.get("refresh_token") ?? "";
    const grant = this.#refreshTokens.get(token);
    this.#refreshTokens.delete(token);
    return grant;
  }

  #redeemed(form: URLSearchParams): Grant | undefined {
    const code = form.get("code") ?? "";
    const grant = this.#codes.get(code);
    this.#codes.delete(code);
    const challenge = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    const isOwn = grant?.challenge === challenge && grant.redirectUri === form.get("redirect_uri");
    return isOwn ? grant : undefined;
  }
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
