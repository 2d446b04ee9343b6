import type { LogFields, LogLevel } from '@shoal/doors';

/** What the thread of the dashboard is started with. */
export interface DashboardThreadData {
  /** Settings by their names (docs/dashboard-settings.md). */
  readonly settings: readonly (readonly [name: string, value: string])[];
  readonly assetsFolder: string;
}

/** What the thread says: lines for the node's log, and that it has ended its requests. */
export type DashboardThreadMessage =
  | { readonly kind: 'log'; readonly level: LogLevel; readonly message: string; readonly fields: LogFields }
  | { readonly kind: 'closed' };

/** Told to the thread when the node ends. */
export const CLOSE = 'close';
