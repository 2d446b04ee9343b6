export { type DashboardSettings, loadDashboardSettings } from './settings/load-settings.js';
export { DASHBOARD_SETTINGS, type DashboardSetting } from './settings/setting-table.js';
export { DashboardSettingsError, type DashboardSettingSources } from './settings/setting-values.js';
export type { KeyStores } from './tls/tls-material.js';
export { type DashboardDoors, type RunningDashboard, startDashboard } from './start-dashboard.js';
