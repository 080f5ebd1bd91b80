/**
 * Preserves the keyboard's place. When the focused element is removed (a suggestion that a handoff replaces, a button that has served its
 * purpose), the browser gives the focus to nothing, and a screen reader starts the page again. So the smallest remaining part of the page
 * around it gets the focus, and Tab continues from there. An element that has only moved, as in a list with another order, gets the focus
 * back.
 */
const parts = "section, nav, aside, main, li, details";

export function keepFocus(page: Document): void {
  /** What has the focus, and what is around it, from the inside out: afterwards it is around nothing. */
  let place: readonly Element[] = [];
  page.addEventListener("focusin", ({ target }) => {
    place = target instanceof Element ? aroundAndWith(target) : [];
  });
  page.addEventListener("focusout", ({ target, relatedTarget }) => {
    if (relatedTarget !== null) return;
    // A user who clicks beside everything has left the element. An element that is being removed no longer exists when this runs.
    setTimeout(() => {
      const isThere = target instanceof Node && target.isConnected;
      if (isThere && place[0] === target && page.activeElement === page.body) place = [];
    });
  });
  new MutationObserver((changes) => {
    const [focused, ...around] = place;
    if (focused === undefined || page.activeElement !== page.body) return;
    const isMoved = changes.some(({ addedNodes }) => [...addedNodes].some((added) => added.contains(focused)));
    if (focused.isConnected && !isMoved) return;
    const next = focused.isConnected
      ? focused
      : (around.find((part) => part.isConnected) ?? page.querySelector("main"));
    if (!(next instanceof HTMLElement)) return;
    if (next !== focused && !next.hasAttribute("tabindex")) next.tabIndex = -1;
    next.focus({ preventScroll: true });
  }).observe(page, { childList: true, subtree: true });
}

function aroundAndWith(focused: Element): Element[] {
  const found = [focused];
  for (let part = focused.parentElement?.closest(parts); part; part = part.parentElement?.closest(parts))
    found.push(part);
  return found;
}
