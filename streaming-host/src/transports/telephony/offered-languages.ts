/** HOOK-12: in which language a platform's wish is met. Pure. */

/** The very language, or another region's form of it; undefined where there is none. */
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
