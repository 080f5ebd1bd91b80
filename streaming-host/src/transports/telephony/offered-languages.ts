/** HOOK-12: chooses a language for the one that the platform requests. Pure. */

/** The requested language, or another region's variety of it; undefined if there is none. */
export function chooseLanguage(asked: string, offered: readonly string[]): string | undefined {
  const wish = asked.toLowerCase();
  return (
    offered.find((language) => language.toLowerCase() === wish) ??
    offered.find((language) => primary(language) === primary(wish))
  );
}

function primary(language: string): string {
  return language.toLowerCase().split("-")[0] ?? "";
}
