import { type ComponentTemplate, componentTemplates, indexTemplates, legacyTemplates } from '@shoal/cluster';
import type { ClusterState } from '@shoal/state';
import { selectNames } from '@shoal/values';
import { pathList } from '../admin/index-options.js';
import { catRoutes, column } from './table.js';

interface Row {
  readonly name: string;
  readonly patterns: readonly string[];
  readonly order: number | null;
  readonly version: number | null;
  /** Null for legacy templates. */
  readonly composedOf: readonly string[] | null;
}

function allTemplates(state: ClusterState): Row[] {
  const legacy = Object.entries(legacyTemplates(state)).map(
    ([name, template]): Row => ({
      name,
      patterns: template.indexPatterns,
      order: template.order,
      version: template.version ?? null,
      composedOf: null,
    }),
  );
  const composable = Object.entries(indexTemplates(state)).map(
    ([name, template]): Row => ({
      name,
      patterns: template.indexPatterns,
      order: template.priority ?? 0,
      version: template.version ?? null,
      composedOf: template.composedOf ?? [],
    }),
  );
  return [...legacy, ...composable];
}

/** Routes of `_cat/templates`. */
export const templateRoutes = catRoutes<Row>({
  name: 'templates',
  paths: ['/_cat/templates', '/_cat/templates/{name}'],
  privilege: 'indices:admin/index_template/get',
  also: ['indices:admin/template/get'],
  columns: [
    column('name', 'n', 'template name', 'default', (row) => row.name),
    column('index_patterns', 't', 'template index patterns', 'default', (row) => `[${row.patterns.join(', ')}]`),
    column('order', 'o,p', 'template application order/priority number', 'default', (row) => row.order),
    column('version', 'v', 'version', 'default', (row) => row.version),
    column('composed_of', 'c', 'component templates comprising index template', 'default', (row) =>
      row.composedOf ? `[${row.composedOf.join(', ')}]` : '',
    ),
  ],
  rows(request, { cluster }) {
    const patterns = pathList(request, 'name');
    const all = allTemplates(cluster.state());
    if (patterns.length === 0) return all;
    const chosen = new Set(
      selectNames(
        all.map((row) => row.name),
        patterns,
      ),
    );
    return all.filter((row) => chosen.has(row.name));
  },
});

interface ComponentRow {
  readonly name: string;
  readonly component: ComponentTemplate;
  readonly includedIn: readonly string[];
}

function size(value: object | undefined): number {
  return Object.keys(value ?? {}).length;
}

function mappingCount(component: ComponentTemplate): number {
  return size(component.template.mappings?.['properties'] as object | undefined);
}

/** Routes of `_cat/component_templates`. */
export const componentTemplateRoutes = catRoutes<ComponentRow>({
  name: 'component_templates',
  paths: ['/_cat/component_templates', '/_cat/component_templates/{name}'],
  privilege: 'cluster:admin/component_template/get',
  columns: [
    column('name', 'n', 'component template name', 'default', (row) => row.name),
    column('version', 'v', 'version', 'default', (row) => row.component.version ?? null),
    column('alias_count', 'a', 'alias count', 'default', (row) => size(row.component.template.aliases)),
    column('mapping_count', 'm', 'mapping count', 'default', (row) => mappingCount(row.component)),
    column('settings_count', 's', 'settings count', 'default', (row) => size(row.component.template.settings)),
    column('metadata_count', 'me', 'metadata count', 'default', (row) => size(row.component.meta)),
    column('included_in', 'i', 'included in', 'default', (row) => `[${row.includedIn.join(', ')}]`),
  ],
  rows(request, { cluster }) {
    const state = cluster.state();
    const patterns = pathList(request, 'name');
    const users = Object.entries(indexTemplates(state));
    const chosen = new Set(
      selectNames(Object.keys(componentTemplates(state)), patterns.length === 0 ? ['*'] : patterns),
    );
    return Object.entries(componentTemplates(state))
      .filter(([name]) => chosen.has(name))
      .map(([name, component]) => ({
        name,
        component,
        includedIn: users.filter(([, template]) => template.composedOf?.includes(name)).map(([user]) => user),
      }));
  },
});
