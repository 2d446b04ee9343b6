import { bench } from '@shoal/testing';
import { PLACES, scanPlainAction } from './plain-action.kernel.js';

const places = new Int32Array(PLACES);
for (const line of [
  '{"index":{}}',
  '{"create":{"_index":"logs-2024.01.15"}}',
  '{"index":{"_index":"logs","_id":"AbCdEf123"}}',
]) {
  const bytes = Buffer.from(line);
  bench(`scan ${line.slice(0, 36)}`, 1, () => void scanPlainAction(bytes, 0, bytes.length, places));
}
