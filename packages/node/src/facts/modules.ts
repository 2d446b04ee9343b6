import { VERSION } from '@shoal/values';

/** Modules of Elasticsearch whose work a Shoal node does itself: clients ask for them by name. */
const MODULES: readonly (readonly [name: string, description: string, classname: string])[] = [
  ['aggregations', 'Aggregations', 'org.elasticsearch.aggregations.AggregationsPlugin'],
  ['analysis-common', 'Analyzers and their parts', 'org.elasticsearch.analysis.common.CommonAnalysisPlugin'],
  ['data-streams', 'Data streams', 'org.elasticsearch.datastreams.DataStreamsPlugin'],
  ['ingest-common', 'Processors of pipelines', 'org.elasticsearch.ingest.common.IngestCommonPlugin'],
  ['lang-mustache', 'Templates of searches', 'org.elasticsearch.script.mustache.MustachePlugin'],
  ['lang-painless', 'Scripts in Painless', 'org.elasticsearch.painless.PainlessPlugin'],
  ['mapper-extras', 'Further field types', 'org.elasticsearch.index.mapper.extras.MapperExtrasPlugin'],
  ['reindex', 'Copy, update and delete by query', 'org.elasticsearch.reindex.ReindexPlugin'],
];

/** Returns the section `modules` of `GET _nodes`. */
export function modulesInfo(): readonly Record<string, unknown>[] {
  return MODULES.map(([name, description, classname]) => ({
    name,
    version: VERSION,
    elasticsearch_version: VERSION,
    java_version: '17',
    description,
    classname,
    extended_plugins: [],
    has_native_controller: false,
    licensed: false,
  }));
}
