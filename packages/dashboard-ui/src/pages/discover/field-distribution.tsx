import { useEffect, useState } from 'preact/hooks';
import type { Query } from '../../kql/kql-query.js';
import { type Answer, clusterCall } from '../../request/own-call.js';
import { formatCount } from '../../state/format.js';
import { Facts } from '../../widgets/facts.js';
import { Failure } from '../../widgets/failure.js';
import {
  type Bounds,
  boundsBody,
  boundText,
  distributionBody,
  rangeWidth,
  readBounds,
  readDistribution,
  type ValueRange,
} from './distribution.js';

/** Props of the part. */
interface FieldDistributionProps {
  readonly field: string;
  readonly query: Query;
  /** Path of the search. */
  readonly path: string;
}

/** How the numbers of a field are spread among the documents found. */
export function FieldDistribution({ field, query, path }: FieldDistributionProps) {
  const [bounds, setBounds] = useState<Bounds | null>(null);
  const [ranges, setRanges] = useState<readonly ValueRange[]>([]);
  const [failure, setFailure] = useState<Answer | null>(null);
  const [looks, setLooks] = useState(0);
  useEffect(() => {
    const abort = new AbortController();
    const ask = async (body: object): Promise<Answer | null> => {
      const answer = await clusterCall('POST', path, { body, signal: abort.signal });
      setFailure(answer.status === 200 ? null : answer);
      return answer.status === 200 ? answer : null;
    };
    const read = async (): Promise<void> => {
      const first = await ask(boundsBody(query, field));
      const found = first === null ? null : readBounds(first.json);
      if (found === null) return;
      setBounds(found);
      const second = await ask(distributionBody(query, field, rangeWidth(found)));
      if (second !== null) setRanges(readDistribution(second.json));
    };
    read().catch(() => undefined);
    return () => abort.abort();
  }, [looks]);
  if (failure !== null) return <Failure answer={failure} request={`POST ${path}`} again={() => setLooks(looks + 1)} />;
  if (bounds === null) return null;
  const most = Math.max(1, ...ranges.map(({ count }) => count));
  return (
    <>
      <Facts
        facts={[
          ['Lowest', boundText(bounds.min)],
          ['Average', boundText(bounds.avg)],
          ['Highest', boundText(bounds.max)],
        ]}
      />
      {ranges.length > 0 && (
        <div class="table-box" tabIndex={0} role="group" aria-label="Distribution, scrolls">
          <table>
            <caption>Distribution</caption>
            <thead>
              <tr>
                <th scope="col">From</th>
                <th scope="col" class="number">
                  Documents
                </th>
              </tr>
            </thead>
            <tbody>
              {ranges.map(({ from, count }) => (
                <tr key={from}>
                  <th scope="row">
                    {boundText(from)}
                    <span class="share" style={{ width: `${(100 * count) / most}%` }} />
                  </th>
                  <td class="number">{formatCount(count)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  );
}
