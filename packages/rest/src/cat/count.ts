import { OPEN_ONLY, UNRESTRICTED } from '@shoal/state';
import { INDICES_PARAMETERS, indicesOptions, pathList, selectIndices } from '../admin/index-options.js';
import { broadcastStats } from '../admin/shard-stats.js';
import { callContext } from '../api/call-context.js';
import { plainSearch } from '../api/search-parameters.js';
import type { RestRequest } from '../routing/route.js';
import type { Services } from '../services.js';
import { catRoutes, column } from './table.js';
import { epochSeconds, timeOfDay } from './timestamps.js';

interface Row {
  readonly nowMs: number;
  readonly count: number;
}

/** Number of documents, counted by a search, for a caller that may see only some of them. */
async function visibleCount(request: RestRequest, services: Services): Promise<number> {
  const target = { names: pathList(request, 'index'), options: indicesOptions(request, OPEN_ONLY) };
  const answer = await services.coordinator.count(
    plainSearch(target, new Uint8Array(0), undefined),
    callContext(request),
  );
  return (JSON.parse(Buffer.concat(answer.chunks).toString('utf8')) as { count: number }).count;
}

export const routes = catRoutes<Row>({
  name: 'count',
  paths: ['/_cat/count', '/_cat/count/{index}'],
  refuses: ['local', 'master_timeout'],
  privilege: 'indices:data/read/search',
  parameters: INDICES_PARAMETERS,
  columns: [
    column('epoch', 't,time', 'seconds since 1970-01-01 00:00:00', 'default', (row) => epochSeconds(row.nowMs)),
    column('timestamp', 'ts,hms,hhmmss', 'time in HH:MM:SS', 'default', (row) => timeOfDay(row.nowMs)),
    column('count', 'dc,docs.count,docsCount', 'the document count', 'default', (row) => row.count),
  ],
  async rows(request, services) {
    if (request.access !== UNRESTRICTED)
      return [{ nowMs: services.clock.now(), count: await visibleCount(request, services) }];
    const metas = selectIndices(request, services, OPEN_ONLY);
    const { shards } = await broadcastStats(services, metas);
    const count = shards.filter((row) => row.primary).reduce((sum, row) => sum + row.stats.docs.count, 0);
    return [{ nowMs: services.clock.now(), count }];
  },
});
