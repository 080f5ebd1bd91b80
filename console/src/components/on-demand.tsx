import { createContext, lazy, useContext } from "react";
import type { ComponentType, LazyExoticComponent } from "react";

/** Grows whenever what has failed is to be tried again (`page-boundary.tsx`). */
export const Attempt = createContext(0);

interface Request<Props extends object> {
  readonly attempt: number;
  readonly part: LazyExoticComponent<ComponentType<Props>>;
  hasFailed: boolean;
}

/**
 * A part of the page that is loaded when it is first shown. `lazy` remembers a failure for good; here the next attempt requests the file
 * again, because a connection comes back. Within one attempt it is requested once: whoever draws a failure again would request it forever.
 */
export function onDemand<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  let current: Request<Props> | undefined;
  function request(attempt: number): Request<Props> {
    const made: Request<Props> = {
      attempt,
      hasFailed: false,
      part: lazy(async () => {
        try {
          return { default: await load() };
        } catch (error) {
          made.hasFailed = true;
          throw error;
        }
      }),
    };
    return made;
  }
  return function OnDemand(props: Props) {
    const attempt = useContext(Attempt);
    if (current === undefined || (current.hasFailed && current.attempt !== attempt)) current = request(attempt);
    const Part = current.part;
    return <Part {...props} />;
  };
}
