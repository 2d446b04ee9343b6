import { place } from '../../state/router.js';
import { Tabs } from '../../widgets/tabs.js';
import { Aliases } from './aliases.js';
import { DataStreams } from './data-streams.js';
import { IndexList } from './index-list.js';
import { IndexView } from './index-view.js';
import { LifecyclePolicies } from './lifecycle-policies.js';
import { ComponentTemplates, Templates } from './templates.js';

/** Indices and what makes and ages them, or one index. */
export function Page() {
  const [, , , name] = place.value.path.split('/');
  return name ? <IndexView key={name} index={decoded(name)} /> : <AllIndices />;
}

function AllIndices() {
  return (
    <>
      <h1 tabIndex={-1}>Indices</h1>
      <Tabs
        label="Parts of indices"
        tabs={[
          { id: 'indices', name: 'Indices', show: () => <IndexList /> },
          { id: 'streams', name: 'Data streams', show: () => <DataStreams /> },
          { id: 'aliases', name: 'Aliases', show: () => <Aliases /> },
          { id: 'templates', name: 'Templates', show: () => <Templates /> },
          { id: 'components', name: 'Component templates', show: () => <ComponentTemplates /> },
          { id: 'policies', name: 'Lifecycle policies', show: () => <LifecyclePolicies /> },
        ]}
      />
    </>
  );
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
