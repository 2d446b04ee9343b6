import type { IncomingMessage, ServerResponse } from 'node:http';
import { reasonOf } from '../cluster/readiness.js';
import type { DashboardContext } from '../context.js';
import { readObject } from '../guard/strict-json.js';
import { readJson, sendJson, sendRefusal } from '../http-answers.js';
import { addressOf, tooMany } from './login.js';

/** Whether the page "Not ready yet" offers to set the password of the dashboard's own user. */
export function hasSetup({ settings, watch }: DashboardContext): boolean {
  const { username, password } = settings.cluster;
  const isPossible = settings.hasSetup && username === 'kibana_system' && password !== null;
  return isPossible && watch.current().state === 'unauthorized';
}

/**
 * `POST /api/setup`: with the name and password of somebody who may change passwords, sets that of `kibana_system` to
 * the one that the dashboard was started with. Nothing is kept. Only while the cluster refuses the dashboard's user.
 */
export async function setUp(
  context: DashboardContext,
  incoming: IncomingMessage,
  answer: ServerResponse,
): Promise<void> {
  const { settings, client, limits, watch } = context;
  if (!hasSetup(context)) return sendRefusal(answer, { status: 404, message: 'There is nothing to set up.' });
  const { username, password } = readObject(await readJson(incoming, settings.server.bodyBytesMax), {
    username: 'string',
    password: 'string',
  });
  const address = addressOf(incoming);
  const wait = limits.begin(address, username);
  if (wait > 0) return sendRefusal(answer, tooMany(wait));
  let isRight = true;
  try {
    const set = await client.call('POST', '/_security/user/kibana_system/_password', {
      authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
      body: { password: settings.cluster.password },
    });
    isRight = set.status !== 401;
    if (!isRight) return sendRefusal(answer, { status: 401, message: 'Username or password is wrong.' });
    if (set.status !== 200) return sendRefusal(answer, { status: set.status, message: reasonOf(set) });
  } finally {
    limits.end(address, username, isRight);
  }
  const { state } = await watch.look();
  sendJson(answer, 200, { state });
}
