import fs from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { VERSION } from '@shoal/values';
import { hasSetup } from '../calls/setup.js';
import { MEND } from '../cluster/readiness.js';
import { callerOf, type DashboardContext, hasSecurity } from '../context.js';
import { contentPolicy } from '../guard/headers.js';
import { sendHtml, sendRefusal } from '../http-answers.js';
import { pageAt } from './page-names.js';
import { type BootData, pageHtml, paragraph } from './shell.js';

/** A year: names of assets change with their content. */
const ASSET_CACHE = 'public, max-age=31536000, immutable';

function sendPage(
  { settings, assets, random, watch }: DashboardContext,
  answer: ServerResponse,
  {
    status = 200,
    headers = {},
    boot,
    ...page
  }: {
    readonly status?: number;
    readonly headers?: Record<string, string>;
    readonly entry: string;
    readonly title: string;
    readonly body?: string;
    readonly boot: Readonly<Record<string, unknown>>;
  },
): void {
  const nonce = Buffer.from(random.bytes(16)).toString('base64url');
  const data: BootData = {
    basePath: settings.server.basePath,
    version: VERSION,
    nonce,
    username: null,
    hasSecurity: hasSecurity(watch),
    ...boot,
  };
  sendHtml(answer, status, pageHtml(assets, page, data), {
    'content-security-policy': contentPolicy(settings.server, nonce),
    ...headers,
  });
}

/** `/app/{name}…`: the frame with the page's script, or the way to the login. */
export function appPage(context: DashboardContext, incoming: IncomingMessage, answer: ServerResponse, url: URL): void {
  const name = url.pathname.split('/')[2] ?? '';
  const found = pageAt(name);
  const { basePath } = context.settings.server;
  if (found !== null && 'leadsTo' in found) return redirect(answer, basePath + found.leadsTo);
  const caller = callerOf(context, incoming, { isUse: true, isApi: false });
  if (caller.kind === 'nobody') return redirect(answer, loginAddress(basePath, url));
  const session = caller.kind === 'user' ? caller.session : null;
  const { look } = context.watch.current();
  sendPage(context, answer, {
    status: found === null ? 404 : 200,
    entry: 'main',
    title: 'Shoal',
    boot: {
      username: session?.username ?? null,
      clusterName: look.kind === 'answered' ? look.clusterName : null,
    },
  });
}

export const loginAddress = (basePath: string, { pathname, search }: URL): string =>
  `${basePath}/login?next=${encodeURIComponent(basePath + pathname + search)}`;

/** `/`: the default page, or the login. */
export function rootPage(context: DashboardContext, incoming: IncomingMessage, answer: ServerResponse, url: URL): void {
  const { basePath, defaultRoute } = context.settings.server;
  const caller = callerOf(context, incoming, { isUse: false, isApi: false });
  redirect(answer, caller.kind === 'nobody' ? loginAddress(basePath, url) : basePath + defaultRoute);
}

/** `/login`; somebody who is logged in, or needs no login, is led on. */
export function loginPage(
  context: DashboardContext,
  incoming: IncomingMessage,
  answer: ServerResponse,
  url: URL,
): void {
  const caller = callerOf(context, incoming, { isUse: false, isApi: false });
  if (caller.kind !== 'nobody') return redirect(answer, `${context.settings.server.basePath}/`);
  const message = url.searchParams.get('msg');
  sendPage(context, answer, { entry: 'login', title: 'Log in to Shoal', boot: { message } });
}

/** `/logout`: a page that posts, as a GET changes nothing. */
export function logoutPage(context: DashboardContext, answer: ServerResponse): void {
  sendPage(context, answer, { entry: 'login', title: 'Log out · Shoal', boot: { isLogout: true } });
}

/** "Not ready yet": HTML for browsers, a line of text for others. 503 for all, so that probes and proxies wait. */
export function notReady(
  context: DashboardContext,
  incoming: IncomingMessage,
  answer: ServerResponse,
  isApi: boolean,
): void {
  const { state, look } = context.watch.current();
  const headers = { 'retry-after': '5' };
  const sentence =
    state === 'unauthorized'
      ? `the cluster does not accept the user of the dashboard; mend: ${MEND}`
      : 'the cluster does not answer yet';
  const text = `Shoal dashboard server is not ready yet: ${sentence}`;
  if (isApi) return sendRefusal(answer, { status: 503, message: text, headers });
  if (!String(incoming.headers.accept ?? '').includes('text/html')) {
    answer.writeHead(503, { 'content-type': 'text/plain; charset=utf-8', ...headers });
    return void answer.end(`${text}\n`);
  }
  sendPage(context, answer, {
    status: 503,
    headers,
    entry: 'not-ready',
    title: 'Not ready yet · Shoal',
    body: paragraph(text),
    boot: {
      state,
      hosts: context.settings.cluster.hosts.map(({ origin }) => origin),
      said: look.kind === 'silent' ? look.said : [],
      reason: look.kind === 'refused' ? look.reason : null,
      ownUser: context.settings.cluster.username,
      mend: MEND,
      hasSetup: hasSetup(context),
    },
  });
}

function redirect(answer: ServerResponse, location: string): void {
  answer.writeHead(302, { location, 'cache-control': 'no-store', 'content-length': 0 });
  answer.end();
}

/** `/assets/{name}`: a file of the build. */
export function sendAsset(
  context: DashboardContext,
  incoming: IncomingMessage,
  answer: ServerResponse,
  name: string,
): void {
  const asset = context.assets.find(name, String(incoming.headers['accept-encoding'] ?? ''));
  if (asset === null) return sendRefusal(answer, { status: 404, message: 'There is no such file.' });
  answer.writeHead(200, {
    'content-type': asset.type,
    'content-length': asset.bytes,
    'cache-control': ASSET_CACHE,
    vary: 'accept-encoding',
    ...(asset.encoding === null ? {} : { 'content-encoding': asset.encoding }),
  });
  if (incoming.method === 'HEAD') return void answer.end();
  fs.createReadStream(asset.file)
    .on('error', () => answer.destroy())
    .pipe(answer);
}
