/** The page of the API's documents signs in here: it sends its reader to `#docs`, and gets them back with a token. */
import { useEffect } from "react";

export function useReturnToDocs(isIn: boolean): void {
  useEffect(() => {
    const [, operation = ""] = /^#docs(?:\/(.*))?$/.exec(window.location.hash) ?? [];
    if (isIn && window.location.hash.startsWith("#docs"))
      window.location.replace(`/docs${operation === "" ? "" : `#${operation}`}`);
  }, [isIn]);
}
