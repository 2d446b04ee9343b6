import { test } from 'node:test';
import { processorTable } from '../testing/pipeline-table.js';

test('html_strip takes tags away', () =>
  processorTable('html_strip', [
    [{ field: 'a' }, '{"a":"<p>a &amp; b<br/>c</p><script>x</script>d"}', '{"a":"\\na & b\\nc\\n\\nd"}'],
  ]));
