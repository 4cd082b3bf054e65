import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cutText } from './cut-text.ts';

const anyText = fc.string({ unit: 'binary' });

test('a text that fits stays whole; otherwise as many whole characters as fit are kept', () => {
  fc.assert(
    fc.property(anyText, fc.nat(20), (text, maxLength) => {
      const cut = cutText(text, maxLength);
      expect(text.startsWith(cut)).toBe(true);
      expect(cut.isWellFormed()).toBe(true);
      expect(cut.length).toBeLessThanOrEqual(maxLength);
      if (cut !== text) expect(cut.length).toBeGreaterThanOrEqual(maxLength - 1);
    }),
  );
});

test('an emoji at the cut is dropped', () => {
  expect(cutText('ab😀', 3)).toBe('ab');
  expect(cutText('ab😀', 4)).toBe('ab😀');
});
