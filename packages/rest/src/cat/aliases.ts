import { type AliasMetadata, checkIndexBlocks, EVERYTHING, resolveIndices } from '@shoal/state';
import { INDICES_PARAMETERS, indicesOptions, pathList } from '../admin/index-options.js';
import { selectAliases } from '../admin/select-aliases.js';
import { catRoutes, type Column, column } from './table.js';

interface Row {
  readonly alias: string;
  readonly index: string;
  readonly body: AliasMetadata;
}

const columns: readonly Column<Row>[] = [
  column('alias', 'a', 'alias name', 'default', (row) => row.alias),
  column('index', 'i,idx', 'index alias points to', 'default', (row) => row.index),
  column('filter', 'f,fi', 'filter', 'default', (row) => (row.body.filter ? '*' : '-')),
  column('routing.index', 'ri,routingIndex', 'index routing', 'default', (row) => row.body.indexRouting ?? '-'),
  column('routing.search', 'rs,routingSearch', 'search routing', 'default', (row) => row.body.searchRouting ?? '-'),
  column('is_write_index', 'w,isWriteIndex', 'write index', 'default', (row) =>
    row.body.isWriteIndex === undefined ? '-' : String(row.body.isWriteIndex),
  ),
];

export const routes = catRoutes<Row>({
  name: 'aliases',
  paths: ['/_cat/aliases', '/_cat/aliases/{alias}'],
  refuses: ['master_timeout'],
  privilege: 'indices:admin/aliases/get',
  parameters: INDICES_PARAMETERS,
  columns,
  rows(request, services) {
    const options = indicesOptions(request, EVERYTHING);
    const patterns = pathList(request, 'alias');
    const expandsHidden = !request.params.has('expand_wildcards') || options.expandHidden;
    const metas = resolveIndices(services.cluster.state(), [], EVERYTHING, request.access);
    checkIndexBlocks(services.cluster.state(), metas, 'metadata_read');
    return metas.flatMap((meta) => {
      const own = Object.keys(meta.aliases).filter((alias) => request.access.allows(alias));
      const names = patterns.length === 0 ? own : selectAliases(own, patterns);
      return names
        .map((alias) => ({ alias, index: meta.name, body: meta.aliases[alias]! }))
        .filter(
          ({ alias, body }) =>
            body.isHidden !== true ||
            expandsHidden ||
            patterns.includes(alias) ||
            patterns.some((pattern) => pattern.startsWith('.')),
        );
    });
  },
});
