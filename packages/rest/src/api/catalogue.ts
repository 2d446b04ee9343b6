import { readsMaster } from '../admin/reads-master.js';
import type { Route } from '../routing/route.js';
import type { Services } from '../services.js';
import { routes as aliases } from './aliases.js';
import { routes as analyze } from './analyze.js';
import { routes as asyncSearch } from './async-search.js';
import { routes as byQuery } from './by-query.js';
import { routes as bulk } from './bulk.js';
import { routes as dataStreams } from './data-streams.js';
import { routes as diskUsage } from './disk-usage.js';
import { routes as mountSnapshot } from './mount-snapshot.js';
import { routes as searchableSnapshots } from './searchable-snapshots.js';
import { routes as downsample } from './downsample.js';
import { routes as fieldUsageStats } from './field-usage-stats.js';
import { routes as document } from './document.js';
import { routes as explain } from './explain.js';
import { routes as fieldCaps } from './field-caps.js';
import { routes as indexLifecycle } from './index-lifecycle.js';
import { routes as knnSearch } from './knn-search.js';
import { routes as indexMaintenance } from './index-maintenance.js';
import { routes as indexStats } from './index-stats.js';
import { routes as indices } from './indices.js';
import { routes as mappings } from './mappings.js';
import { routes as pointInTime } from './pit.js';
import { routes as rankEval } from './rank-eval.js';
import { routes as reloadSearchAnalyzers } from './reload-search-analyzers.js';
import { routes as rollover } from './rollover.js';
import { routes as root } from './root.js';
import { routes as scroll } from './scroll.js';
import { routes as search } from './search.js';
import { routes as searchTemplate } from './search-template.js';
import { routes as settings } from './settings.js';
import { routes as templates } from './templates.js';
import { routes as termVectors } from './term-vectors.js';
import { routes as termsEnum } from './terms-enum.js';
import { routes as allocationExplain } from './allocation-explain.js';
import { routes as shardStores } from './shard-stores.js';
import { routes as cat } from '../cat/catalogue.js';
import { routes as cluster } from './cluster.js';
import { routes as clusterInfo } from './cluster-info.js';
import { routes as clusterStats } from './cluster-stats.js';
import { routes as desiredNodes } from './desired-nodes.js';
import { routes as features } from './features.js';
import { routes as healthReport } from './health-report.js';
import { routes as enrich } from './enrich.js';
import { routes as geoipStats } from './geoip-stats.js';
import { routes as ingest } from './ingest.js';
import { routes as quarantine } from './quarantine.js';
import { routes as hotThreads } from './hot-threads.js';
import { routes as metrics } from './metrics.js';
import { routes as mlAnalytics } from './ml-analytics.js';
import { routes as mlCalendars } from './ml-calendars.js';
import { routes as mlDatafeeds } from './ml-datafeeds.js';
import { routes as mlInfo } from './ml-info.js';
import { routes as mlJobs } from './ml-jobs.js';
import { routes as mlModels } from './ml-models.js';
import { routes as mlResults } from './ml-results.js';
import { routes as mlSnapshots } from './ml-snapshots.js';
import { routes as mlWhy } from './ml-why.js';
import { routes as nodes } from './nodes.js';
import { routes as reloadSecureSettings } from './reload-secure-settings.js';
import { routes as dangling } from './dangling.js';
import { routes as nodeShutdown } from './node-shutdown.js';
import { routes as scripts } from './scripts.js';
import { routes as securityApiKeys } from './security-api-keys.js';
import { routes as securityCaches } from './security-caches.js';
import { routes as securityEnroll } from './security-enroll.js';
import { routes as securityRoleMappings } from './security-role-mappings.js';
import { routes as securityServiceAccounts } from './security-service-accounts.js';
import { routes as securityProfiles } from './security-profiles.js';
import { routes as securityTokens } from './security-tokens.js';
import { routes as securityPrivileges } from './security-privileges.js';
import { routes as securityRoles } from './security-roles.js';
import { routes as securityUsers } from './security-users.js';
import { routes as snapshotLifecycle } from './snapshot-lifecycle.js';
import { routes as repositoryAnalysis } from './analyze-repository.js';
import { routes as snapshots } from './snapshots.js';
import { routes as tasks } from './tasks.js';
import { routes as snapshotPolicies } from './snapshot-policies.js';
import { routes as streamLifecycle } from './stream-lifecycle.js';
import { routes as transforms } from './transforms.js';
import { routes as why } from './why.js';
import { routes as xpack } from './xpack.js';

const ALL: readonly Route<Services>[] = [
  ...root,
  ...document,
  ...bulk,
  ...asyncSearch,
  ...byQuery,
  ...search,
  ...knnSearch,
  ...rankEval,
  ...reloadSearchAnalyzers,
  ...searchTemplate,
  ...scroll,
  ...pointInTime,
  ...explain,
  ...fieldCaps,
  ...analyze,
  ...termVectors,
  ...termsEnum,
  ...indices,
  ...mappings,
  ...settings,
  ...aliases,
  ...templates,
  ...dataStreams,
  ...streamLifecycle,
  ...rollover,
  ...indexLifecycle,
  ...indexMaintenance,
  ...indexStats,
  ...diskUsage,
  ...downsample,
  ...mountSnapshot,
  ...searchableSnapshots,
  ...fieldUsageStats,
  ...allocationExplain,
  ...shardStores,
  ...cat,
  ...cluster,
  ...clusterInfo,
  ...clusterStats,
  ...desiredNodes,
  ...features,
  ...healthReport,
  ...ingest,
  ...geoipStats,
  ...enrich,
  ...quarantine,
  ...hotThreads,
  ...metrics,
  ...mlJobs,
  ...mlDatafeeds,
  ...mlModels,
  ...mlAnalytics,
  ...mlResults,
  ...mlSnapshots,
  ...mlWhy,
  ...mlCalendars,
  ...mlInfo,
  ...nodes,
  ...reloadSecureSettings,
  ...scripts,
  ...dangling,
  ...nodeShutdown,
  ...snapshots,
  ...repositoryAnalysis,
  ...snapshotLifecycle,
  ...snapshotPolicies,
  ...tasks,
  ...transforms,
  ...why,
  ...xpack,
];

const SECURITY: readonly Route<Services>[] = [
  ...securityRoles,
  ...securityPrivileges,
  ...securityUsers,
  ...securityApiKeys,
  ...securityProfiles,
  ...securityTokens,
  ...securityServiceAccounts,
  ...securityRoleMappings,
  ...securityCaches,
  ...securityEnroll,
];

/** Routes of `/_security`, which exist only if security is on. */
export const securityRoutes: readonly Route<Services>[] = SECURITY.map(readsMaster);

/** All other routes of the HTTP API. */
export const routes: readonly Route<Services>[] = ALL.map(readsMaster);
