// Records field-types.json anew. Usage: node test/answers/record-field-types.mjs URL-OF-ELASTICSEARCH-8.12.0
import fs from 'node:fs';
import { answersOf, typeNames } from './field-type-table.mjs';

const server = { url: process.argv[2], headers: {} };
const recorded = {};
for (const type of typeNames) recorded[type] = await answersOf(server, type);
fs.writeFileSync(new URL('field-types.json', import.meta.url), `${JSON.stringify(recorded, null, 1)}\n`);
