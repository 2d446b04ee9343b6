import type { Files } from '@shoal/doors';
import { errors } from '@shoal/errors';
import { encodeJson } from '../json-bytes.js';

/** Name of the file that the verifying node writes. */
export const MASTER_PROBE = 'master.dat';

/** A folder inside of a repository in which nodes prove that they share it. */
export interface RepositoryProbe {
  readonly folder: string;
}

/** A node that does not share a repository, with the reason. */
export interface ProbeFailure {
  readonly nodeId: string;
  readonly reason: string;
}

/**
 * Reads the file that another node wrote into a repository, and writes one of this node. Throws if this node does not
 * share the folder.
 */
export async function probeRepository(files: Files, nodeId: string, { folder }: RepositoryProbe): Promise<void> {
  if (!(await files.read(`${folder}/${MASTER_PROBE}`))) {
    throw errors.repositoryVerification(
      `a file written by master to the store [${folder}] cannot be accessed on the node [${nodeId}]. This might ` +
        'indicate that the store is not shared between this node and the master node or that permissions on the ' +
        `store don't allow reading files written by the master node`,
    );
  }
  await files.replace(`${folder}/data-${nodeId}.dat`, encodeJson(nodeId));
}
