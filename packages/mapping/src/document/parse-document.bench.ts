import { buildAnalysisRegistry } from '@shoal/analysis';
import { parseMapping } from '../parse-mapping.js';
import { mappingOptions } from '../settings.js';
import { parseDocument } from './parse-document.js';

const DOCUMENTS = 20_000;
const options = mappingOptions({}, buildAnalysisRegistry({}));
const keyword = { type: 'keyword' };
const long = { type: 'long' };

const cases = {
  'package, 1 KB, two texts': {
    mapping: {
      properties: {
        package: keyword,
        version: keyword,
        depends: keyword,
        tags: keyword,
        size: long,
        installed: long,
        summary: { type: 'text' },
        description: { type: 'text' },
      },
    },
    source: {
      package: 'libfoo-dev',
      version: '1.2.3-4',
      depends: ['libc6', 'libfoo1', 'zlib1g'],
      tags: ['devel::library', 'role::devel-lib'],
      size: 123456,
      installed: 512,
      summary: 'development files of the foo library',
      description: 'This package holds the headers and static libraries of foo. '.repeat(12),
    },
  },
  'flight, 100 B': {
    mapping: {
      properties: {
        date: { type: 'date' },
        delay: { type: 'integer' },
        distance: { type: 'integer' },
        origin: keyword,
        destination: keyword,
      },
    },
    source: { date: '2001-01-01T01:10:00', delay: 14, distance: 405, origin: 'MCI', destination: 'MDW' },
  },
};

for (const [name, { mapping, source }] of Object.entries(cases)) {
  const parsed = parseMapping(mapping, options);
  const bytes = new TextEncoder().encode(JSON.stringify(source));
  for (let round = 0; round < 4; round++) {
    const start = performance.now();
    for (let i = 0; i < DOCUMENTS; i++) parseDocument(parsed, bytes, { id: '1', nowMs: 0 }, options);
    console.log(`${name}: ${(((performance.now() - start) * 1000) / DOCUMENTS).toFixed(2)} us a document`);
  }
}
