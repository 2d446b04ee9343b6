import { type IndexMetadata, type NodeInfo, OPEN_ONLY } from '@shoal/state';
import type { SegmentRow } from '../api/index-stats.js';
import { INDICES_PARAMETERS, selectIndices } from '../admin/index-options.js';
import { bytes } from './cell.js';
import { catRoutes, type Column, column } from './table.js';

interface Row {
  readonly meta: IndexMetadata;
  readonly shard: number;
  readonly primary: boolean;
  readonly node: NodeInfo | null;
  readonly segment: SegmentRow;
}

const columns: readonly Column<Row>[] = [
  column('index', 'i,idx', 'index name', 'default', (row) => row.meta.name),
  column('shard', 's,sh', 'shard name', 'default', (row) => row.shard),
  column('prirep', 'p,pr,primaryOrReplica', 'primary or replica', 'default', (row) => (row.primary ? 'p' : 'r')),
  column('ip', '', 'ip of node where it lives', 'default', (row) => row.node?.ip ?? null),
  column('id', '', 'unique id of node where it lives', '', (row) => row.node?.id ?? null),
  column('segment', 'seg', 'segment name', 'default', (row) => row.segment.name),
  column('generation', 'g,gen', 'segment generation', 'default right', (row) => row.segment.generation),
  column('docs.count', 'dc,docsCount', 'number of docs in segment', 'default right', (row) => row.segment.num_docs),
  column(
    'docs.deleted',
    'dd,docsDeleted',
    'number of deleted docs in segment',
    'default right',
    (row) => row.segment.deleted_docs,
  ),
  column('size', 'si', 'segment size in bytes', 'default right', (row) => bytes(row.segment.size_in_bytes)),
  column('size.memory', 'sm,sizeMemory', 'segment memory in bytes', 'default right', () => 0),
  column('committed', 'ic,isCommitted', 'is segment committed', 'default', (row) => row.segment.committed),
  column('searchable', 'is,isSearchable', 'is segment searched', 'default', (row) => row.segment.search),
  column('version', 'v,ver', 'version', 'default', (row) => row.segment.version),
  column('compound', 'ico,isCompound', 'is segment compound', 'default', (row) => row.segment.compound),
];

export const routes = catRoutes<Row>({
  name: 'segments',
  paths: ['/_cat/segments', '/_cat/segments/{index}'],
  privilege: 'indices:monitor/segments',
  also: ['cluster:monitor/state'],
  parameters: INDICES_PARAMETERS,
  columns,
  async rows(request, services) {
    const state = services.cluster.state();
    const metas = selectIndices(request, services, OPEN_ONLY);
    const { shards } = await services.coordinator.broadcast(metas, 'segments', {});
    return metas.flatMap((meta) =>
      shards
        .filter((row) => row.indexUuid === meta.uuid)
        .sort((a, b) => a.shard - b.shard)
        .flatMap((row) =>
          (row.body as SegmentRow[]).map((segment) => ({
            meta,
            shard: row.shard,
            primary: row.primary,
            node: state.nodes.get(row.nodeId) ?? null,
            segment,
          })),
        ),
    );
  },
});
