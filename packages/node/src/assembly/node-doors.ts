import type { node } from '@shoal/protocol';
import type { Clock, Files, Log, Random } from '@shoal/doors';
import type { Transport, TransportOptions } from '@shoal/transport';
import type { TurnDoors } from '../doors/fair-yield.js';
import type { MemoryDoor } from '../doors/system-memory.js';
import type { SecurityDoors } from '../security/open-security.js';

/** Everything through which the parts of a node on its main thread touch the world. */
export interface NodeDoors {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** The state log below `path.data`, and snapshot repositories. */
  readonly files: Files;
  readonly createTransport: (options: TransportOptions) => Promise<Transport>;
  /** How full the disk of the data folder is. */
  readonly disk: () => Promise<node.DiskReport>;
  /** Turns of this thread's event loop, by which work pools bound what they begin. */
  readonly turns: TurnDoors;
  readonly memory: MemoryDoor;
  readonly security: SecurityDoors;
}
