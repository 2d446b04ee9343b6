import { Tabs } from '../../widgets/tabs.js';
import { SampleData } from './sample-data.js';
import { UploadFile } from './upload-file.js';

/** Data to begin with: generated, or from a file. */
export function Page() {
  return (
    <>
      <h1 tabIndex={-1}>Add data</h1>
      <Tabs
        label="Ways to add data"
        tabs={[
          { id: 'sample', name: 'Sample data', show: () => <SampleData /> },
          { id: 'upload', name: 'Upload a file', show: () => <UploadFile /> },
        ]}
      />
    </>
  );
}
