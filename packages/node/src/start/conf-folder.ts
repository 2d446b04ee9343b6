import path from 'node:path';
import type { NodeSettings } from '../settings/load-settings.js';

/** `path.conf`, or `config` inside the data folder: certificates, keystore and users of the file realm. Absolute. */
export function confFolderOf(settings: NodeSettings): string {
  return path.resolve(settings.text('path.conf') ?? path.join(settings.text('path.data')!, 'config'));
}
