import { describe, expect, test } from 'vitest';
import { isClockTime, momentInJakarta, usualHours } from './trading-hours.ts';

describe('hours of the exchange', () => {
  test('were shorter from 2020-03-30 to 2023-04-02', () => {
    expect(usualHours('2020-03-27').regular).toBe('16:15');
    expect(usualHours('2020-03-30')).toEqual({ regular: '15:15', negotiated: '15:30' });
    expect(usualHours('2023-03-31').regular).toBe('15:15');
    expect(usualHours('2023-04-03')).toEqual({ regular: '16:15', negotiated: '16:30' });
  });

  test('are clock times of Jakarta, seven hours ahead of UTC', () => {
    expect(momentInJakarta('2026-11-20', '16:15').toISOString()).toBe('2026-11-20T09:15:00.000Z');
  });

  test('a clock time is HH:MM from 00:00 to 23:59', () => {
    expect(['00:00', '09:05', '23:59'].every(isClockTime)).toBe(true);
    expect(['24:00', '9:05', '12:60', '12:00:00', ''].some(isClockTime)).toBe(false);
  });
});
