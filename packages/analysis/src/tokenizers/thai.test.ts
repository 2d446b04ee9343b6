import { test } from 'node:test';
import { cuts } from '../testing/analysis-table.js';

test('thai cuts words of Thai by dictionary', () =>
  cuts({ tokenizer: 'thai' }, [
    ['การที่ได้ต้องแสดงว่างานดี', 'การ[0-3] ที่[3-6] ได้[6-9] ต้อง[9-13] แสดง[13-17] ว่า[17-20] งาน[20-23] ดี[23-25]'],
    ['abc 12', 'abc[0-3] 12[4-6]'],
  ]));
