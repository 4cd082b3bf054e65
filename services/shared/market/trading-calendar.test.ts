import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { IDX_CALENDAR } from '#quant/exchange/calendar/trading-calendar.ts';
import { ConfigError } from '#platform/configuration/config.ts';
import { tradingCalendar } from './trading-calendar.ts';

let folder: string;
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'saring-calendar-'))));
afterAll(() => rm(folder, { recursive: true }));

async function calendarOf(text: string) {
  const CALENDAR_FILE = join(folder, 'calendar.json');
  await writeFile(CALENDAR_FILE, text);
  return tradingCalendar({ CALENDAR_FILE });
}

test('without a file the calendar is the built-in one, and a file overrules it', async () => {
  expect(await tradingCalendar({ CALENDAR_FILE: '' })).toBe(IDX_CALENDAR);
  const calendar = await calendarOf('{"closures": {"2026-12-23": "a day of mourning"}}');
  expect(calendar.day('2026-12-23').closedFor).toBe('a day of mourning');
});

test.each([
  ['{"closures": ', /^CALENDAR_FILE .+calendar\.json: calendar file: not JSON/],
  [
    '{"holidays": {}}',
    /^CALENDAR_FILE .+calendar\.json: calendar file: holidays: unknown field; allowed are/,
  ],
])('a file with %s stops the start with the setting, the file and the mistake', async (text, message) => {
  const reading = calendarOf(text);
  await expect(reading).rejects.toThrow(message);
  await expect(reading).rejects.toThrow(ConfigError);
});

test('a file that is missing stops the start with its path', async () => {
  const missing = tradingCalendar({ CALENDAR_FILE: join(folder, 'none.json') });
  await expect(missing).rejects.toThrow(/^CALENDAR_FILE .+none\.json cannot be read: ENOENT$/);
});
