import type { NodeQuarantineStats, QuarantineSize } from '@shoal/coordinator';
import { type Cause, inPath } from './cause.js';

/** Quarantines with documents, and documents that could not be kept since the nodes started. */
export function quarantineCauses(sizes: readonly QuarantineSize[], since: NodeQuarantineStats | null): Cause[] {
  return [
    ...sizes.filter(({ documents }) => documents > 0).map(filled),
    ...(since !== null && since.lost > 0 ? [lost(since)] : []),
  ];
}

function filled({ name, documents, oldestMs }: QuarantineSize): Cause {
  const count = documents === 1 ? '1 document was' : `${documents} documents were`;
  const since = oldestMs === null ? '' : ` since ${new Date(oldestMs).toISOString()}`;
  const path = `/${inPath(name)}/_quarantine`;
  return {
    severity: 'warning',
    about: `index ${name}`,
    index: name,
    why: `${count} refused by a pipeline or the mapping${since}, and can be written once that is mended`,
    mend: [
      { does: 'shows the documents and what was wrong', method: 'GET', path },
      { does: 'says which could be written now', method: 'POST', path: `${path}/_replay`, body: { dry_run: true } },
    ],
  };
}

function lost({ lost: count }: NodeQuarantineStats): Cause {
  const documents = count === 1 ? '1 refused document' : `${count} refused documents`;
  return {
    severity: 'warning',
    about: 'cluster',
    why: `${documents} could not be kept in quarantine since the nodes started`,
    advice: 'the log of the node that took the write says why',
    mend: [],
  };
}
