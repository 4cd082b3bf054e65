import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AddressGuard } from './address-guard.ts';

const guard = new AddressGuard();

test.each([
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '127.0.0.1',
  '127.255.255.254',
  '168.63.129.16',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.192',
  '192.168.1.1',
  '198.18.0.1',
  '203.0.113.9',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::7f00:1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:169.254.169.254',
  '64:ff9b::169.254.169.254',
  '64:ff9b::a00:1',
  '64:ff9b:1::1',
  '100::1',
  '2001::1',
  '2001:db8::1',
  '2002:7f00:1::',
  '2002:808:808::1',
  '3fff::1',
  '5f00::1',
  'fc00::1',
  'fd00:ec2::254',
  'fe80::1',
  'fe80::1%eth0',
  'fec0::1',
  'ff02::1',
  'localhost',
  '',
])('%s is refused', (address) => expect(guard.allows(address)).toBe(false));

test.each([
  '1.1.1.1',
  '8.8.8.8',
  '100.63.255.255',
  '172.32.0.1',
  '193.0.0.1',
  '223.255.255.255',
  '::ffff:8.8.8.8',
  '64:ff9b::8.8.8.8',
  '2606:4700:4700::1111',
  '2a00:1450:4001:82a::200e',
])('%s is public', (address) => expect(guard.allows(address)).toBe(true));

describe('ranges that the operator allows', () => {
  const allowing = new AddressGuard(['10.1.0.0/16', 'fd12::/16']);

  test.each(['10.1.2.3', '::ffff:10.1.2.3', '64:ff9b::10.1.2.3', 'fd12::1'])('%s is allowed', (address) =>
    expect(allowing.allows(address)).toBe(true),
  );
  test.each(['10.2.0.1', '::ffff:10.2.0.1', 'fd13::1', '127.0.0.1'])('%s is not', (address) =>
    expect(allowing.allows(address)).toBe(false),
  );

  test.each(['10.1.0.0', '10.1.0.0/33', 'fd12::/129', 'example.com/8', '/8', '10.1.0.0/-1', '10.1.0.0/'])(
    '%s is no range',
    (range) => expect(() => new AddressGuard([range])).toThrow(`${range} is no range`),
  );
});

test('whatever stands for an IPv4 address is judged as that address', () => {
  fc.assert(
    fc.property(fc.ipV4(), (address) => {
      const [a, b, c, d] = address.split('.').map(Number) as [number, number, number, number];
      const hex = `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
      const forms = [`::ffff:${address}`, `::ffff:${hex}`, `64:ff9b::${address}`, `64:ff9b::${hex}`];
      expect(forms.map((form) => guard.allows(form))).toEqual(forms.map(() => guard.allows(address)));
    }),
  );
});
