import { bench } from '@shoal/testing';
import { scanJson, skipValue } from './scan-json.kernel.js';

const document = {
  timestamp: '2024-01-15T10:00:00.000Z',
  message: 'GET /images/logo.png HTTP/1.1',
  status: 200,
  size: 24736,
  host: { name: 'web-1', ip: '10.0.0.17' },
  tags: ['access', 'static'],
};
const bytes = new TextEncoder().encode(JSON.stringify(document));
bench('scan a log line, a byte', bytes.length, () => void scanJson(bytes, 0, bytes.length, 20, 15));
bench('skip a log line, a byte', bytes.length, () => void skipValue(bytes, 0));
