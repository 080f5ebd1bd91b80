import { describe, expect, it } from "vitest";
import { hideSecrets } from "./hide-secrets.ts";

describe("what a service sends back", () => {
  it("has none of our secrets in it, also where JSON writes them differently", () => {
    const secrets = ["s3cret-key", 'pass"word'];
    expect(hideSecrets('{"sent":"Bearer s3cret-key","twice":"s3cret-key"}', secrets)).toBe(
      '{"sent":"Bearer ***","twice":"***"}',
    );
    expect(hideSecrets(JSON.stringify({ sent: 'pass"word' }), secrets)).toBe('{"sent":"***"}');
  });

  it("has none of them where slashes are escaped, too", () => {
    expect(hideSecrets(String.raw`{"sent":"s3cret\/key"}`, ["s3cret/key"])).toBe('{"sent":"***"}');
  });

  it("has nothing of a secret that begins with another", () => {
    expect(hideSecrets("Bearer s3cret-key-2 s3cret-key", ["s3cret-key", "s3cret-key-2"])).toBe("Bearer *** ***");
  });

  it("keeps ordinary words that are as short as a secret of a few characters", () => {
    expect(hideSecrets("It opens at ten.", ["ten"])).toBe("It opens at ten.");
  });
});
