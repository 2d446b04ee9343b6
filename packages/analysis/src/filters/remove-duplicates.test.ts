import { test } from 'node:test';
import { analyzes } from '../testing/analysis-table.js';

test('remove_duplicates drops a term that is there at the same position', () =>
  analyzes({ filter: [{ type: 'multiplexer', filters: ['lowercase', 'uppercase'] }, 'remove_duplicates'] }, [
    ['abc Abc', 'abc@0 ABC@0 Abc@1 abc@1 ABC@1'],
  ]));
