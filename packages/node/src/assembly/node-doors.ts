import type { node } from '@shoal/protocol';
import type { RemoteHttp } from '@shoal/coordinator';
import type { Clock, Files, Log, Random } from '@shoal/doors';
import type { IngestDatabases } from '@shoal/ingest';
import type { Transport, TransportOptions } from '@shoal/transport';
import type { FairTurns } from '../turns/fair-turns.js';
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
  readonly turns: FairTurns;
  readonly memory: MemoryDoor;
  /** Files that processors look things up in. */
  /** Reads documents of other clusters. */
  readonly remoteHttp: RemoteHttp;
  readonly ingestDatabases: Omit<IngestDatabases, 'enrich'>;
  readonly security: SecurityDoors;
}
