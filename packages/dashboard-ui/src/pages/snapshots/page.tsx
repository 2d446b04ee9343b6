import { Tabs } from '../../widgets/tabs.js';
import { Policies } from './policies.js';
import { Repositories } from './repositories.js';
import { Snapshots } from './snapshots.js';

/** Repositories, snapshots in them, and policies that take them. */
export function Page() {
  return (
    <>
      <h1 tabIndex={-1}>Snapshots</h1>
      <Tabs
        label="Parts of snapshots"
        tabs={[
          { id: 'repositories', name: 'Repositories', show: () => <Repositories /> },
          { id: 'snapshots', name: 'Snapshots', show: () => <Snapshots /> },
          { id: 'policies', name: 'Policies', show: () => <Policies /> },
        ]}
      />
    </>
  );
}
