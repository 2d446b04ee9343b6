import type { NodeSettings } from '../settings/load-settings.js';
import type { CommandIo } from './command-io.js';

/** What all commands share. */
export interface CommandContext {
  readonly io: CommandIo;
  /** As the node itself would read them: file, environment, `-E`. */
  settings(): NodeSettings;
  /** `path.conf`. */
  confFolder(): string;
}
