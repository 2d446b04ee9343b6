// Drives Debian's Chromium (package `chromium`, or the program that CHROMIUM names) by playwright-core, and collects
// what a page must never do: break its policy, ask another origin, throw.
import fs from 'node:fs';
// The short form: a browser takes as long to read the long one as to run its rules.
import axe from 'axe-core/axe.min.js';
import { chromium } from 'playwright-core';
import { limitMethods, withLimit } from '../limits.mjs';

const program = process.env.CHROMIUM ?? '/usr/bin/chromium';

const CLOSE_MS_MAX = 30_000;
const DOWNLOAD_MS_MAX = 60_000;
/** How long a test waits for what a user sees. */
const PAGE_MS_MAX = 60_000;

/** Why tests of pages are left out; null if Chromium is there. */
export const noBrowser = fs.existsSync(program)
  ? null
  : `no Chromium at ${program}: install the package chromium, or name it with CHROMIUM`;

/**
 * Starts the browser. What Playwright waits for without a limit has one here, so that a page or a browser that hangs
 * fails the test that met it. `close` ends the browser whatever happened.
 */
export async function openBrowser() {
  // Nothing of a page needs a graphics processor, which this one would be asked to pretend.
  const args = ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'];
  const browser = await chromium.launch({ executablePath: program, args, timeout: 60_000 });
  limitMethods(browser, ['newContext', 'newBrowserCDPSession'], 'browser');
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await withLimit(session.send('SystemInfo.getProcessInfo'), 'the process of the browser');
  const { id } = processInfo.find(({ type }) => type === 'browser');
  const close = browser.close.bind(browser);
  browser.close = async () => {
    try {
      await withLimit(close(), 'the end of the browser', CLOSE_MS_MAX);
    } catch (error) {
      process.stderr.write(`${error.message}: ended by SIGKILL\n`);
      process.kill(id, 'SIGKILL');
    }
  };
  return browser;
}

/** Gives limits to what a page and its tools wait for without one; other calls have Playwright's 30 s. */
function limitPage(page) {
  limitMethods(page, ['evaluate', 'title', 'content', 'emulateMedia', 'setViewportSize', 'route'], 'page');
  limitMethods(page, ['unrouteAll', 'waitForTimeout'], 'page', 120_000);
  limitMethods(page.keyboard, ['press', 'type', 'down', 'up', 'insertText'], 'keyboard');
  limitMethods(page.mouse, ['move', 'down', 'up', 'click', 'wheel'], 'mouse');
}

/** The file of a download, once it is complete. */
export const downloadedFile = async (download) =>
  withLimit((await download).path(), 'the end of a download', DOWNLOAD_MS_MAX);

/** A session of the browser's own protocol with a page, whose calls have a limit. */
export async function debugSession(page) {
  const session = await page.context().newCDPSession(page);
  return limitMethods(session, ['send', 'detach'], 'session');
}

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
  limitMethods(context, ['newPage', 'newCDPSession', 'addCookies', 'clearCookies', 'grantPermissions'], 'context');
  const page = await context.newPage();
  limitPage(page);
  page.setDefaultTimeout(PAGE_MS_MAX);
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

/**
 * Leads an open page of ours to another address, as Back does: the frame and what axe needs stay, which is a fraction
 * of the work of a load.
 */
export const goWithin = (page, url) =>
  page.evaluate((address) => {
    window.history.pushState(null, '', address);
    window.dispatchEvent(new PopStateEvent('popstate'));
  }, url);

/** Pauses between looks at a page with faults, before they are told. */
const LOOKS_MS = [50, 150, 300, 500, 500];

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
  let faults = await faultsNow(page);
  // A page that is being built for a moment is not what people meet: what stays is told.
  for (const ms of LOOKS_MS) {
    if (faults.length === 0) break;
    await page.waitForTimeout(ms);
    faults = await faultsNow(page);
  }
  return faults;
}

async function faultsNow(page) {
  const session = await debugSession(page);
  const { nodes } = await session.send('Accessibility.getFullAXTree');
  const violations = await axeFaults(session);
  await session.detach();
  const shown = nodes.filter(({ ignored }) => !ignored);
  const withRole = (role) => shown.filter((node) => node.role?.value === role);
  const nameless = NAMED.flatMap(withRole).filter((node) => !node.name?.value);
  const faults = nameless.map((node) => `a ${node.role.value} without a name`);
  const isModal = shown.some((node) => node.properties?.some(({ name, value }) => name === 'modal' && value.value));
  if (!isModal && withRole('main').length !== 1) faults.push(`${withRole('main').length} main landmarks`);
  faults.push(...(await page.evaluate(pageFaults)));
  faults.push(...violations);
  return faults;
}

/* global document, getComputedStyle, PopStateEvent, window */
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
    const grounds = new Map([[null, [255, 255, 255]]]);
    const groundOf = (element) => {
      if (!grounds.has(element)) {
        const [r, g, b, a = 1] = channels(getComputedStyle(element).backgroundColor);
        grounds.set(element, a === 1 ? [r, g, b] : groundOf(element.parentElement));
      }
      return grounds.get(element);
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

/** Lines of a grid after the first ones, which are made alike; names and contrast are looked at in all of them. */
const LIKE_LINES = '.grid-body > :nth-child(n + 6)';

/** Evaluated by the debugger, which the page's policy does not bind; read once by each document. */
async function axeFaults(session) {
  const { result: known } = await session.send('Runtime.evaluate', { expression: 'typeof axe' });
  if (known.value === 'undefined') await session.send('Runtime.evaluate', { expression: axe.source });
  const { result } = await session.send('Runtime.evaluate', {
    expression: `axe.run({ exclude: [['${LIKE_LINES}']] }, {
      runOnly: ['wcag2a','wcag2aa','wcag21a','wcag21aa','wcag22aa','best-practice'], resultTypes: ['violations'],
    }).then(({ violations }) => JSON.stringify(violations.map(({ id, nodes }) => id + ': ' + nodes[0].html)))`,
    awaitPromise: true,
    returnByValue: true,
  });
  return JSON.parse(result.value);
}
