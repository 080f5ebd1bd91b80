import { lazy, useState } from "react";
import type { ComponentType, LazyExoticComponent } from "react";

/**
 * A part of the page that is loaded when it is first shown. `lazy` remembers a failure for good; here the next visit requests the file
 * again, because a connection comes back.
 */
export function onDemand<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  let current = begin();
  function begin(): LazyExoticComponent<ComponentType<Props>> {
    return lazy(async () => {
      try {
        return { default: await load() };
      } catch (error) {
        current = begin();
        throw error;
      }
    });
  }
  return function OnDemand(props: Props) {
    const [Part] = useState(() => current);
    return <Part {...props} />;
  };
}
