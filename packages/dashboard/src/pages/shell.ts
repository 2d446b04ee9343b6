import type { Assets } from './assets.js';

/** What a page is told with its first byte. */
export interface BootData {
  readonly basePath: string;
  readonly version: string;
  /** Nonce of style elements, new for each page. */
  readonly nonce: string;
  /** Name of the user; null in a cluster without security, and before a login. */
  readonly username: string | null;
  readonly hasSecurity: boolean;
  readonly [key: string]: unknown;
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (char) => ESCAPES[char]!);

/** JSON inside a script element that is never run: `<` cannot end it. */
const scriptJson = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c');

/** The HTML of a page: its entry's script and style, and its boot data. `body` is text for before the script ran. */
export function pageHtml(
  assets: Assets,
  { entry, title, body = '' }: { readonly entry: string; readonly title: string; readonly body?: string },
  boot: BootData,
): string {
  const { script, style } = assets.entry(entry);
  const at = (name: string): string => escapeHtml(`${boot.basePath}/assets/${name}`);
  return `<!doctype html>
<html lang="en" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="icon" type="image/svg+xml" href="${at(assets.icon)}">
<link rel="stylesheet" href="${at(style)}">
<script type="application/json" id="boot">${scriptJson(boot)}</script>
<script type="module" src="${at(script)}"></script>
</head>
<body>
<div id="app">${body}</div>
<noscript><p>The dashboard needs JavaScript.</p></noscript>
</body>
</html>
`;
}

/** A paragraph of text for before the script ran. */
export const paragraph = (text: string): string => `<p>${escapeHtml(text)}</p>`;
