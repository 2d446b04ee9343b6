import type { NodeSettings } from '../settings/load-settings.js';
import type { CommandIo } from './command-io.js';

/** Input, output and settings that all commands share. */
export interface CommandContext {
  readonly io: CommandIo;
  /** Reads the settings as the node does: file, environment, `-E`. */
  settings(): NodeSettings;
  /** `path.conf`. */
  confFolder(): string;
}
