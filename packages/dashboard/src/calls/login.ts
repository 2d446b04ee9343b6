import type { IncomingMessage, ServerResponse } from 'node:http';
import { jsonOf, reasonOf } from '../cluster/readiness.js';
import { callerOf, type DashboardContext, hasSecurity } from '../context.js';
import { safeNext } from '../guard/next.js';
import { parseBody, readObject } from '../guard/strict-json.js';
import { readJson, sendJson, sendRefusal } from '../http-answers.js';

const WRONG = 'Username or password is wrong.';
/** Longest name and password that are checked. */
const CREDENTIAL_CHARACTERS_MAX = 4_096;

/** `POST /internal/security/login`, as Kibana's own page sends it: checks the password with the cluster. */
export async function login(
  context: DashboardContext,
  incoming: IncomingMessage,
  answer: ServerResponse,
): Promise<void> {
  const { settings, client, limits, sessions, watch } = context;
  if (!hasSecurity(watch)) return sendRefusal(answer, { status: 404, message: 'This cluster has no login.' });
  const body = readObject(await readJson(incoming, settings.server.bodyBytesMax), {
    providerType: 'string?',
    providerName: 'string?',
    currentURL: 'string?',
    params: 'object',
  });
  const { username, password } = readObject(body.params, { username: 'string', password: 'string' });
  if (![username, password].every((one) => one.length <= CREDENTIAL_CHARACTERS_MAX) || username.includes(':'))
    return sendRefusal(answer, { status: 401, message: WRONG });
  const address = addressOf(incoming);
  const wait = limits.begin(address, username);
  if (wait > 0) return sendRefusal(answer, tooMany(wait));
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  let isRight = true;
  try {
    const who = await client.call('GET', '/_security/_authenticate', { authorization });
    isRight = who.status !== 401;
    if (!isRight) return sendRefusal(answer, { status: 401, message: WRONG });
    if (who.status !== 200) return sendRefusal(answer, { status: 503, message: `The cluster says: ${reasonOf(who)}` });
    const user = (jsonOf(who) as { username: string }).username;
    const cookie = await sessions.create(user, authorization);
    if (cookie === null)
      return sendRefusal(answer, {
        status: 503,
        message: 'There are too many sessions: [shoal.dashboard.sessions_max] is reached.',
        headers: { 'retry-after': '60' },
      });
    await endSession(context, incoming);
    sendJson(
      answer,
      200,
      { location: nextOf(body.currentURL, settings.server.basePath) },
      {
        'set-cookie': cookieHeader(context, cookie),
      },
    );
  } finally {
    limits.end(address, username, isRight);
  }
}

/** A refused attempt: it did not reach the cluster. */
export const tooMany = (wait: number) => ({
  status: 429,
  message: `Too many attempts: try again in ${wait} ${wait === 1 ? 'second' : 'seconds'}.`,
  headers: { 'retry-after': String(wait) },
});

/** Address of the browser as the connection tells it; headers of proxies are not believed. */
export const addressOf = (incoming: IncomingMessage): string => incoming.socket.remoteAddress ?? 'unknown';

/** The page that the login was asked for: `next` of the address of the login page. */
function nextOf(currentUrl: string | undefined, basePath: string): string {
  if (currentUrl === undefined || !URL.canParse(currentUrl)) return safeNext(null, basePath);
  return safeNext(new URL(currentUrl).searchParams.get('next'), basePath);
}

/** Ends the session that a request belongs to: a login never takes over a given id. */
async function endSession(context: DashboardContext, incoming: IncomingMessage): Promise<void> {
  const caller = callerOf(context, incoming, { isUse: false, isApi: false });
  if (caller.kind === 'user' && caller.session !== null) await context.sessions.end(caller.session.id);
}

/** `Set-Cookie` of a session; an empty value removes the cookie. */
export function cookieHeader({ settings }: DashboardContext, value: string): string {
  const { cookieName, isCookieSecure, sameSite } = settings.sessions;
  return [
    `${cookieName}=${value}`,
    `Path=${settings.server.basePath || '/'}`,
    'HttpOnly',
    `SameSite=${sameSite}`,
    ...(isCookieSecure ? ['Secure'] : []),
    ...(value === '' ? ['Max-Age=0'] : []),
  ].join('; ');
}

/** `POST /api/security/logout`: ends the session. */
export async function logout(
  context: DashboardContext,
  incoming: IncomingMessage,
  answer: ServerResponse,
): Promise<void> {
  await endSession(context, incoming);
  const location = `${context.settings.server.basePath}/login?msg=LOGGED_OUT`;
  sendJson(answer, 200, { location }, { 'set-cookie': cookieHeader(context, '') });
}

/** `GET /internal/security/me`: the user as the cluster describes it. */
export async function me(context: DashboardContext, incoming: IncomingMessage, answer: ServerResponse): Promise<void> {
  const caller = callerOf(context, incoming, { isUse: true, isApi: true });
  const authorization = caller.kind === 'user' ? caller.authorization : null;
  const who = await context.client.call('GET', '/_security/_authenticate', { authorization });
  if (who.status !== 200)
    return sendRefusal(answer, { status: who.status === 401 ? 401 : 404, message: reasonOf(who) });
  sendJson(answer, 200, parseBody(who.body.toString('utf8')) as object);
}
