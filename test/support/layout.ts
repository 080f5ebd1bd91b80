/** What somebody can reach of a page in a window of this size, by geometry. */
import type { Page } from "playwright-core";
import { z } from "zod";

/** As text, because the browser's types are not this program's. */
const findUnreachable = `(() => {
  const isVisible = (element) => element.checkVisibility({ visibilityProperty: true }) && element.getClientRects().length > 0;
  const controls = [...document.querySelectorAll("a[href], button, input, select, textarea, summary")];
  return controls.filter(isVisible).flatMap((control) => {
    control.scrollIntoView({ block: "nearest", inline: "nearest" });
    const { top, left, right, bottom, width, height } = control.getBoundingClientRect();
    const fitsAcross = left >= -1 && right <= innerWidth + 1;
    const fitsDown = top >= -1 && (bottom <= innerHeight + 1 || height > innerHeight);
    const name = control.getAttribute("aria-label") ?? control.textContent.trim() ?? control.tagName;
    const at = [left, top, right, bottom].map(Math.round).join(" ");
    return fitsAcross && fitsDown ? [] : [control.tagName.toLowerCase() + ' "' + name.slice(0, 40) + '" at ' + at];
  });
})()`;

/** Controls that cannot be seen whole: to the left or right of the window, or nowhere to scroll to. */
export async function unreachableControls(page: Page): Promise<readonly string[]> {
  return z.array(z.string()).parse(await page.evaluate(findUnreachable));
}

/** Whether this can be seen whole without scrolling. */
export async function isInView(page: Page, selector: string): Promise<boolean> {
  const box = await page.locator(selector).first().boundingBox();
  const size = page.viewportSize();
  if (box === null || size === null) return false;
  return box.x >= 0 && box.y >= 0 && box.x + box.width <= size.width && box.y + box.height <= size.height;
}

/** Whether the window scrolls to something below the page, which is as high as the window and scrolls by itself. */
export async function overflowsDown(page: Page): Promise<boolean> {
  return z.boolean().parse(await page.evaluate("document.documentElement.scrollHeight > innerHeight"));
}

/** Whether something makes the page wider than the window. */
export async function overflowsSideways(page: Page): Promise<boolean> {
  return z.boolean().parse(await page.evaluate("document.documentElement.scrollWidth > innerWidth"));
}
