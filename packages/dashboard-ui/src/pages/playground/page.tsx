import { Tabs } from '../../widgets/tabs.js';
import { AnalyzerTester } from './analyzer-tester.js';
import { SearchTester } from './search-tester.js';

/** Tries searches while they are typed, and shows what analyzers make of a text. */
export function Page() {
  return (
    <>
      <h1 tabIndex={-1}>Search playground</h1>
      <Tabs
        label="What to try"
        tabs={[
          { id: 'search', name: 'Search', show: () => <SearchTester /> },
          { id: 'analyzer', name: 'Analyzer', show: () => <AnalyzerTester /> },
        ]}
      />
    </>
  );
}
