// Drives Debian's Chromium (package `chromium`, or the program that CHROMIUM names) by playwright-core, and collects
// what a page must never do: break its policy, ask another origin, throw.
import fs from 'node:fs';
import axe from 'axe-core';
import { chromium } from 'playwright-core';

const program = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** Why tests of pages are left out; null if Chromium is there. */
export const noBrowser = fs.existsSync(program)
  ? null
  : `no Chromium at ${program}: install the package chromium, or name it with CHROMIUM`;

/** Starts the browser. */
export const openBrowser = () =>
  chromium.launch({ executablePath: program, args: ['--no-sandbox', '--disable-dev-shm-usage'] });

/**
 * Opens a browser while a node starts; returns both. If one of them does not start the other is ended, so that the
 * process of the test can end, too. `starting`: a node, or what `startNodeWithDashboard` returns.
 */
export async function withBrowser(starting) {
  const [started, browser] = await Promise.allSettled([starting, openBrowser()]);
  const failed = [started, browser].find(({ status }) => status === 'rejected');
  if (failed === undefined) return [started.value, browser.value];
  await browser.value?.close();
  await (started.value?.node ?? started.value)?.stop('SIGKILL');
  throw failed.reason;
}

/** Opens a page of a browser of its own; `faults` gets all that must not happen. */
export async function openPage(browser, url, { colorScheme = 'light', viewport = { width: 1280, height: 900 } } = {}) {
  const context = await browser.newContext({ colorScheme, viewport, reducedMotion: 'reduce', timezoneId: 'UTC' });
  const page = await context.newPage();
  const faults = [];
  const origin = new URL(url).origin;
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
  page.on('request', (request) => {
    if (!request.url().startsWith(origin) && !request.url().startsWith('data:'))
      faults.push(`request elsewhere: ${request.url()}`);
  });
  page.on('console', (entry) => {
    if (/Content Security Policy|Trusted/.test(entry.text())) faults.push(`policy: ${entry.text()}`);
  });
  await page.goto(url);
  return { page, context, faults };
}

/** Roles whose elements must have a name. */
const NAMED = [
  'button',
  'link',
  'textbox',
  'combobox',
  'checkbox',
  'radio',
  'dialog',
  'region',
  'table',
  'menu',
  'menuitem',
];

/**
 * What is wrong with the page for people who do not see it: the accessibility tree as Chromium makes it, and the rules
 * of axe for WCAG 2.2 AA.
 */
export async function accessibilityFaults(page) {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send('Accessibility.getFullAXTree');
  await session.detach();
  const shown = nodes.filter(({ ignored }) => !ignored);
  const withRole = (role) => shown.filter((node) => node.role?.value === role);
  const nameless = NAMED.flatMap(withRole).filter((node) => !node.name?.value);
  const faults = nameless.map((node) => `a ${node.role.value} without a name`);
  const isModal = shown.some((node) => node.properties?.some(({ name, value }) => name === 'modal' && value.value));
  if (!isModal && withRole('main').length !== 1) faults.push(`${withRole('main').length} main landmarks`);
  faults.push(...(await page.evaluate(pageFaults)));
  faults.push(...(await axeFaults(page)));
  return faults;
}

/* global document, getComputedStyle */
/** Runs in the page: targets, headings, ids. */
function pageFaults() {
  const faults = [];
  const targets = document.querySelectorAll('button, input, select, textarea, summary, nav a');
  for (const element of targets) {
    const { width, height } = element.getBoundingClientRect();
    if (width > 0 && (width < 24 || height < 24)) faults.push(`a target of ${width}×${height}: ${element.outerHTML}`);
  }
  const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id);
  for (const id of new Set(ids)) if (ids.filter((other) => other === id).length > 1) faults.push(`id ${id} twice`);
  if (document.querySelectorAll('h1').length !== 1) faults.push(`${document.querySelectorAll('h1').length} h1`);
  if (document.documentElement.scrollWidth > document.documentElement.clientWidth) faults.push('scrolls sideways');
  if (!document.documentElement.lang) faults.push('no language');
  return [...faults, ...contrastFaults()];

  function contrastFaults() {
    const channels = (color) => (color.match(/[\d.]+/g) ?? []).map(Number);
    const luminance = ([r, g, b]) =>
      [r, g, b]
        .map((value) => (value / 255 <= 0.03928 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4))
        .reduce((sum, value, i) => sum + value * [0.2126, 0.7152, 0.0722][i], 0);
    const groundOf = (element) => {
      for (let at = element; at; at = at.parentElement) {
        const [r, g, b, a = 1] = channels(getComputedStyle(at).backgroundColor);
        if (a === 1) return [r, g, b];
      }
      return [255, 255, 255];
    };
    const own = (element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '');
    return [...document.querySelectorAll('body *')]
      .filter((element) => own(element) && element.checkVisibility() && !element.closest('.visually-hidden, noscript'))
      .flatMap((element) => {
        const style = getComputedStyle(element);
        const [light, dark] = [luminance(channels(style.color)), luminance(groundOf(element))].sort((a, b) => b - a);
        const ratio = (light + 0.05) / (dark + 0.05);
        const isDisabled = element.closest(':disabled') !== null;
        return ratio < 4.5 && !isDisabled ? [`contrast ${ratio.toFixed(2)}: ${element.outerHTML.slice(0, 100)}`] : [];
      });
  }
}

async function axeFaults(page) {
  const session = await page.context().newCDPSession(page);
  // Evaluated by the debugger, which the page's policy does not bind.
  await session.send('Runtime.evaluate', { expression: axe.source });
  const { result } = await session.send('Runtime.evaluate', {
    expression: `axe.run({ runOnly: ['wcag2a','wcag2aa','wcag21a','wcag21aa','wcag22aa','best-practice'] })
      .then(({ violations }) => JSON.stringify(violations.map(({ id, nodes }) => id + ': ' + nodes[0].html)))`,
    awaitPromise: true,
    returnByValue: true,
  });
  await session.detach();
  return JSON.parse(result.value);
}
