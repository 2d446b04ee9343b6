// Walks a page by the Tab key alone, and tells what a keyboard does not reach, where it stays, and where its focus
// cannot be seen.
import { debugSession } from './browser.mjs';

/** Elements that a page has for a keyboard, and those that a widget reaches by its arrows. */
const CONTROLS = 'a[href], button, input, select, textarea, summary, [contenteditable="true"], [tabindex]';
const BY_ARROWS = '[role=tablist], [role=grid], [role=menu], [role=listbox], [role=combobox]';
/** Presses that a walk takes at most. */
const PRESSES_MAX = 600;

/* global document, window, getComputedStyle */
/** Runs in the page: notes where the focus is, and what is wrong there. */
function noteFocus() {
  const at = document.activeElement;
  window.walked ??= new Set();
  if (at === null || at === document.body || at === document.documentElement) return { isOut: true };
  const isNew = !window.walked.has(at);
  window.walked.add(at);
  const told = at.outerHTML.slice(0, 160);
  const { outlineStyle, outlineWidth } = getComputedStyle(at);
  const isEditor = at.isContentEditable;
  const isVisible = isEditor || (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2);
  const { left, right, top, bottom } = at.getBoundingClientRect();
  const [x, y] = [
    (Math.max(0, left) + Math.min(window.innerWidth, right)) / 2,
    (Math.max(0, top) + Math.min(window.innerHeight, bottom)) / 2,
  ];
  const seen = document.elementFromPoint(x, y);
  const isCovered = seen !== null && !at.contains(seen) && !seen.contains(at) && seen.closest('label') === null;
  const isBox = at.matches('div:not([role]), span:not([role]), pre:not([aria-label])') && !isEditor;
  const faults = [
    ...(isBox ? [`a stop of the Tab key that is no control: ${told}`] : []),
    ...(isVisible ? [] : [`the focus is not seen: ${told}`]),
    ...(isCovered ? [`is covered by ${seen.outerHTML.slice(0, 80)}: ${told}`] : []),
  ];
  return { isOut: false, isNew, told, faults };
}

/** Runs in the page: controls within a part of it that were not reached. */
function unreached([controls, byArrows, within]) {
  const walked = window.walked ?? new Set();
  const groups = new Set([...walked].filter(({ type }) => type === 'radio').map(({ name }) => name));
  return [...document.querySelectorAll(within)]
    .flatMap((part) => [...part.querySelectorAll(controls)])
    .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.matches(':disabled, [inert] *'))
    .filter((one) => one.tabIndex >= 0 || one.matches('a, button, input, select, textarea'))
    .filter((one) => !walked.has(one) && !(one.type === 'radio' && groups.has(one.name)))
    .filter((one) => !(one.tabIndex < 0 && one.closest(byArrows) !== null))
    .map((one) => one.outerHTML.slice(0, 160));
}

/** One walk from where the focus is until it leaves the page or comes back. Returns what is wrong. */
async function walkOnce(page, within) {
  const faults = [];
  let before = null;
  for (let presses = 0; presses < PRESSES_MAX; presses++) {
    await page.keyboard.press('Tab');
    let now = await page.evaluate(noteFocus);
    if (!now.isOut && now.told === before && !now.isNew) {
      // An editor takes the key; Escape gives it back, as its description says.
      await page.keyboard.press('Escape');
      await page.keyboard.press('Tab');
      now = await page.evaluate(noteFocus);
      if (!now.isOut && !now.isNew && now.told === before) return [...faults, `keeps the focus: ${now.told}`];
    }
    // The walk before may have ended in front of the browser's own controls: the next key enters the page.
    if (now.isOut && presses === 0) continue;
    if (now.isOut || !now.isNew) break;
    before = now.told;
    faults.push(...now.faults);
  }
  const missing = await page.evaluate(unreached, [CONTROLS, BY_ARROWS, within]);
  return [...faults, ...missing.map((told) => `is not reached: ${told}`)];
}

/**
 * What is wrong for a keyboard in a page, or within the parts that a selector names. A page whose parts changed on the
 * way is walked once more.
 */
export async function keyboardFaults(page, within = 'body') {
  const walk = async () => {
    await page.evaluate(() => {
      window.walked = new Set();
    });
    return walkOnce(page, within);
  };
  const faults = await walk();
  return faults.length === 0 ? faults : walk();
}

/** Roles that need no name: the page itself, its main part, to which the skip link leads, and boxes that scroll. */
const NAMELESS = ['RootWebArea', 'main', 'generic'];

/** Focusable parts of the accessibility tree without a name. */
export async function namelessParts(page) {
  const session = await debugSession(page);
  const { nodes } = await session.send('Accessibility.getFullAXTree');
  await session.detach();
  const isFocusable = ({ properties = [] }) =>
    properties.some(({ name, value }) => name === 'focusable' && value.value);
  return nodes
    .filter((node) => !node.ignored && isFocusable(node) && !node.name?.value && !NAMELESS.includes(node.role?.value))
    .map((node) => `a ${node.role?.value} without a name`);
}
