import { createRequire } from 'node:module';
import path from 'node:path';

/** Folder of the dashboard's pages as the build left them. */
export const assetsFolder = (): string =>
  path.join(path.dirname(createRequire(import.meta.url).resolve('@shoal/dashboard-ui')), 'assets');
