import { reasonOf } from '../cluster/readiness.js';
import type { DashboardContext } from '../context.js';

const PATH = '/_security/privilege/kibana-.kibana';
/** What the privileges of Kibana's roles mean, if no Kibana has told the cluster yet. */
const PRIVILEGES = { all: ['saved_object:*'], read: ['saved_object:read'] } as const;

/**
 * Tells a cluster what `read` and `all` of the application `kibana-.kibana` mean, once: without that a role such as
 * `editor` grants names that mean nothing. Those that are registered are kept.
 */
export function registerPrivileges({ client, settings, watch, log }: DashboardContext): () => Promise<void> {
  const { authorization } = settings.cluster;
  let isDone = false;
  return async () => {
    if (isDone || !watch.current().hasSecurity) return;
    const found = await client.call('GET', PATH, { authorization });
    const known = found.status === 200 ? (JSON.parse(found.body.toString('utf8')) as Record<string, object>) : {};
    const missing = Object.entries(PRIVILEGES).filter(([name]) => !Object.hasOwn(known['kibana-.kibana'] ?? {}, name));
    if (missing.length > 0) {
      const body = {
        'kibana-.kibana': Object.fromEntries(missing.map(([name, actions]) => [name, { actions, metadata: {} }])),
      };
      const put = await client.call('PUT', '/_security/privilege', { authorization, body });
      if (put.status !== 200)
        return log.write('warn', 'privileges of the dashboard cannot be registered', { reason: reasonOf(put) });
    }
    isDone = true;
  };
}
