import type { node } from '@shoal/protocol';
import type { Clock, Files, Log, Random } from '@shoal/doors';
import type { Transport, TransportOptions } from '@shoal/transport';
import type { TurnDoors } from '../doors/fair-yield.js';
import type { MemoryDoor } from '../doors/system-memory.js';
import type { SecurityDoors } from '../security/open-security.js';

/** Effects that the parts of a node on its main thread use: time, files, randomness, network. */
export interface NodeDoors {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Files of the state log below `path.data`. */
  readonly files: Files;
  /** Files of snapshot repositories, and no others. */
  readonly repositoryFiles: Files;
  readonly createTransport: (options: TransportOptions) => Promise<Transport>;
  /** Reports how full the disk of the data folder is. */
  readonly disk: () => Promise<node.DiskReport>;
  /** Clock and callbacks of this thread's event loop; work pools use them to limit the work of one turn. */
  readonly turns: TurnDoors;
  readonly memory: MemoryDoor;
  readonly security: SecurityDoors;
}
