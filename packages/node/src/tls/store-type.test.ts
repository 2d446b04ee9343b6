import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkStoreType, refuseJavaStore } from './store-type.js';

test('a Java keystore is refused with the command that converts it, by its type, its name or its bytes', () => {
  const command =
    /keytool -importkeystore -srckeystore certs\/node\.jks -destkeystore certs\/node\.p12 -deststoretype PKCS12/;
  assert.throws(
    () => checkStoreType('x.keystore', 'JKS', 'certs/node.jks'),
    (error: Error) =>
      command.test(error.message) && error.message.startsWith('setting [x.keystore.type] does not take [JKS]'),
  );
  assert.throws(
    () => checkStoreType('x.keystore', null, 'certs/node.jks'),
    (error: Error) => command.test(error.message) && error.message.startsWith('setting [x.keystore.path]'),
  );
  assert.throws(() => refuseJavaStore(Buffer.from('feedfeed00000002', 'hex'), 'certs/node.jks'), command);
});

test('PKCS#12 is taken, and nothing else', () => {
  checkStoreType('x.keystore', 'pkcs12', 'a');
  checkStoreType('x.keystore', null, 'a.p12');
  refuseJavaStore(Buffer.from('3082', 'hex'), 'a');
  assert.throws(
    () => checkStoreType('x.keystore', 'bcfks', 'a'),
    /\[x\.keystore\.type\] does not take \[bcfks\]: accepted is PKCS12/,
  );
});
