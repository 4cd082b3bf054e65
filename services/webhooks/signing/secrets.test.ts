import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { newSecret, SecretBox } from './secrets.ts';

const box = new SecretBox(['the-present-key-of-secrets']);

test('a secret has the form of the specification, and the official library takes it', () => {
  const secret = newSecret();
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(newSecret()).not.toBe(secret);
  const signature = new Webhook(secret).sign('evt_1', new Date(), '{}');
  expect(signature).toMatch(/^v1,/);
});

test('a stored secret shows nothing of it, and is the same for its webhook alone', () => {
  const secret = newSecret();
  const stored = box.encrypt(secret, 'wh_1');
  expect(stored).not.toContain(secret.slice('whsec_'.length, 20));
  expect(box.encrypt(secret, 'wh_1')).not.toBe(stored);
  expect(box.decrypt(stored, 'wh_1')).toBe(secret);
  expect(() => box.decrypt(stored, 'wh_2')).toThrow();
  expect(() => box.decrypt(`${stored.slice(0, -4)}AAAA`, 'wh_1')).toThrow();
});

test('after a rotation of the key, the one before decrypts, until it is removed', () => {
  const secret = newSecret();
  const stored = box.encrypt(secret, 'wh_1');
  const rotated = new SecretBox(['the-next-key-of-all-secrets', 'the-present-key-of-secrets']);
  expect(rotated.decrypt(stored, 'wh_1')).toBe(secret);
  expect(rotated.encrypt(secret, 'wh_1').split('.')[0]).not.toBe(stored.split('.')[0]);
  const alone = new SecretBox(['the-next-key-of-all-secrets']);
  expect(() => alone.decrypt(stored, 'wh_1')).toThrow('WEBHOOK_SECRET_KEY lacks');
});
